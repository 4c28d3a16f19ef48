// swift-tools-version: 6.2
import PackageDescription

/// A package that depends on Mainstay by path, as a user's does, with tests that are held to a frame budget. Those whose
/// names begin with `over` must fail, those that begin with `within` must pass: scripts/judge-budgets counts.
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
  name: "Budgets",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "Mainstay", path: "../../../..")],
  targets: [
    .target(name: "Kitchen", swiftSettings: strict),
    .testTarget(
      name: "KitchenTests", dependencies: ["Kitchen", .product(name: "MainstayTesting", package: "Mainstay")],
      swiftSettings: strict),
  ]
)
