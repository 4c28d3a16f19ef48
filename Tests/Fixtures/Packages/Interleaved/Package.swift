// swift-tools-version: 6.2
import PackageDescription

/// Decisions that go stale at an await, in a program in which other tasks really come in between.
let package = Package(
  name: "Interleaved",
  targets: [
    .executableTarget(name: "Interleaved", swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
