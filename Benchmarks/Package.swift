// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Mainstay", path: "..")],
  targets: [
    // What recording costs the programs of Programs/.
    .executableTarget(
      name: "recorder-benchmarks", path: "Sources/RecorderBenchmark", swiftSettings: [.swiftLanguageMode(.v6)]),
    // The journal's own sources and the workload once more, in one module: the peer that shows what a package
    // boundary costs. Both are links, so that they cannot differ.
    .target(name: "SameModuleJournal", swiftSettings: [.swiftLanguageMode(.v6), .define("SAME_MODULE")]),
    .executableTarget(
      name: "library-benchmarks",
      dependencies: [.product(name: "Mainstay", package: "Mainstay"), "SameModuleJournal"],
      path: "Sources/LibraryBenchmarks", swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
