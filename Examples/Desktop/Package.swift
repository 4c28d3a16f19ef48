// swift-tools-version: 6.2
import PackageDescription

/// What every target shares: no warnings, and the compiler's complete concurrency checking (Swift 6 mode).
let swift: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Everything that needs GLib or GTK is here, apart from the rest of the examples, which build without either.
let package = Package(
  name: "GalleryDesktop",
  products: [
    .library(name: "GLibMainActor", targets: ["GLibMainActor"])
  ],
  targets: [
    // The main actor in a program whose loop is GLib's. No part of Gallery: any GTK program may use it.
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .target(name: "CGLibMainActor", dependencies: ["CGLib"]),
    .target(name: "GLibMainActor", dependencies: ["CGLibMainActor"], swiftSettings: swift),
    .executableTarget(name: "PumpProbe", dependencies: ["CGLib", "GLibMainActor"], swiftSettings: swift),
    .testTarget(name: "GLibMainActorTests", dependencies: ["PumpProbe"], swiftSettings: swift),
  ],
  cLanguageStandard: .gnu17
)
