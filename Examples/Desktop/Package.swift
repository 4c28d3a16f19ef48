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
    .library(name: "GLibMainActor", targets: ["GLibMainActor"]),
    .executable(name: "gallery-window", targets: ["GalleryApp"]),
    .executable(name: "gallery-latency", targets: ["LatencyWindow"]),
  ],
  dependencies: [
    .package(name: "Gallery", path: ".."),
    .package(name: "Mainstay", path: "../.."),
  ],
  targets: [
    // The main actor in a program whose loop is GLib's. No part of Gallery: any GTK program may use it.
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .target(name: "CGLibMainActor", dependencies: ["CGLib"]),
    .target(name: "GLibMainActor", dependencies: ["CGLibMainActor"], swiftSettings: swift),
    .executableTarget(name: "PumpProbe", dependencies: ["CGLib", "GLibMainActor"], swiftSettings: swift),

    // The window.
    .systemLibrary(name: "CAdwaita", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
    // GTK's delegates as they are without isolation: this module has none by default, unlike the window's.
    .target(name: "GTKFiles", dependencies: ["CAdwaita"], swiftSettings: swift),
    .executableTarget(
      name: "GalleryApp",
      dependencies: [
        "CAdwaita", "GLibMainActor", "GTKFiles", .product(name: "GalleryFeatures", package: "Gallery"),
        .product(name: "Mainstay", package: "Mainstay"),
      ],
      swiftSettings: swift + [
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),

    // A window from which a test drags a file.
    .executableTarget(name: "DragProbe", dependencies: ["CAdwaita"], swiftSettings: swift),

    // The latency probe of `gallery` on a display's frame clock.
    .executableTarget(
      name: "LatencyWindow",
      dependencies: [
        "CAdwaita", "GLibMainActor", .product(name: "GalleryFeatures", package: "Gallery"),
        .product(name: "Mainstay", package: "Mainstay"),
      ],
      swiftSettings: swift + [
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),

    .testTarget(name: "GLibMainActorTests", dependencies: ["PumpProbe"], swiftSettings: swift),
    // Clicks and types on the built window, on a screen in memory.
    .testTarget(
      name: "GalleryAppTests",
      dependencies: [
        "DragProbe", "GalleryApp", "GTKFiles", "LatencyWindow", .product(name: "GalleryFeatures", package: "Gallery"),
        .product(name: "LocalServer", package: "Gallery"), .product(name: "Mainstay", package: "Mainstay"),
      ],
      swiftSettings: swift),
  ],
  cLanguageStandard: .gnu17
)
