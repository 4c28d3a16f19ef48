// swift-tools-version: 6.0
import PackageDescription

/// A small package with tests of both libraries: built and tested under `mainstay run` by the tests of Mainstay.
let package = Package(
  name: "TestBundle",
  targets: [
    .target(name: "Bakery"),
    .testTarget(name: "BakeryTests", dependencies: ["Bakery"]),
  ]
)
