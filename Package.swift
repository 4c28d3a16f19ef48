// swift-tools-version: 6.2
import PackageDescription

/// Swift code: no warnings, and the compiler's complete concurrency checking (Swift 6 mode).
let swift: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Mainstay",
  // For `Mutex` and `Duration`. The library compiles for Apple platforms and is not tested there.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "mainstay", targets: ["mainstay-cli"]),
    .library(name: "Mainstay", targets: ["Mainstay"]),
  ],
  targets: [
    // The bytes of a recording: one header, shared by what records and what reads.
    .target(name: "CMainstayTrace"),
    .target(name: "CMainstayRecorder", dependencies: ["CMainstayTrace"]),

    // What an application links.
    .target(name: "Mainstay", swiftSettings: swift),

    // What reads.
    .target(name: "MainstayTrace", dependencies: ["CMainstayTrace", "Mainstay"], swiftSettings: swift),
    .executableTarget(
      name: "mainstay-cli", dependencies: ["MainstayTrace"], swiftSettings: swift, plugins: ["BuildPreload"]),
    .plugin(name: "BuildPreload", capability: .buildTool()),

    .testTarget(name: "MainstayTests", dependencies: ["Mainstay"], swiftSettings: swift),
    .testTarget(name: "MainstayTraceTests", dependencies: ["CMainstayTrace", "MainstayTrace"], swiftSettings: swift),
    // The documents, the package and the built library against each other.
    .testTarget(name: "ProjectTests", swiftSettings: swift),
    // Compiles the recorder's C files into programs of its own, with sanitizers.
    .testTarget(name: "CMainstayRecorderTests", swiftSettings: swift),
    // Starts the built tool on the programs of Tests/Fixtures.
    .testTarget(name: "EndToEnd", dependencies: ["MainstayTrace"], swiftSettings: swift),
  ],
  cLanguageStandard: .gnu17
)
