// swift-tools-version: 6.2
import PackageDescription

/// One program with three planted sinks and one stall that no rule foresees: what the join is tried on.
let package = Package(
  name: "Joined",
  targets: [
    .executableTarget(name: "Joined", swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
