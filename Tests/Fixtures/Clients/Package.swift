// swift-tools-version: 6.2
import PackageDescription

/// Packages that depend on the library by path, as a user's do: every warning is an error here.
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
  name: "Clients",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "Mainstay", path: "../../..")],
  targets: [
    .target(
      name: "PlainClient", dependencies: [.product(name: "Mainstay", package: "Mainstay")], swiftSettings: strict),
    .target(
      name: "MainActorClient", dependencies: [.product(name: "Mainstay", package: "Mainstay")],
      swiftSettings: strict + [
        .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),
  ]
)
