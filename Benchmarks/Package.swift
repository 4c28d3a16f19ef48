// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  targets: [
    .executableTarget(
      name: "recorder-benchmarks", path: "Sources/RecorderBenchmark", swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
