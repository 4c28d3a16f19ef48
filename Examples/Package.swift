// swift-tools-version: 6.2
import PackageDescription

/// What every target shares: no warnings, and the compiler's complete concurrency checking (Swift 6 mode).
let swift: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A target that holds UI-facing state: its declarations are on the main actor unless they say otherwise.
let userInterface: [SwiftSetting] =
  swift + [
    .defaultIsolation(MainActor.self),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]

/// C code: the usual warnings, each an error.
let c: [CSetting] = [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]

let package = Package(
  name: "Gallery",
  products: [
    .executable(name: "gallery", targets: ["gallery"])
  ],
  dependencies: [
    .package(name: "Mainstay", path: "..")
  ],
  targets: [
    // Services, decoders and data: they belong to no actor.
    .target(name: "Catalogue", swiftSettings: swift),
    .target(name: "CatalogueMaker", dependencies: ["Catalogue"], swiftSettings: swift),
    .target(name: "LocalServer", swiftSettings: swift),

    // UI-facing state: it belongs to the main actor.
    .target(
      name: "Search", dependencies: ["Catalogue", .product(name: "Mainstay", package: "Mainstay")],
      swiftSettings: userInterface),

    // The boundary: a foreign runtime, what it promises, and the screen that relies on it.
    .target(name: "CFeed", cSettings: c),
    .target(name: "ForeignFeed", dependencies: ["CFeed"], swiftSettings: swift),
    .target(name: "FeedImplementations", dependencies: ["ForeignFeed"], swiftSettings: swift),
    .target(
      name: "Feed", dependencies: ["ForeignFeed", .product(name: "Mainstay", package: "Mainstay")],
      swiftSettings: userInterface),

    .executableTarget(
      name: "gallery",
      dependencies: [
        "Catalogue", "CatalogueMaker", "Feed", "FeedImplementations", "ForeignFeed", "LocalServer", "Search",
        .product(name: "Mainstay", package: "Mainstay"),
      ],
      swiftSettings: swift),

    .testTarget(name: "CatalogueTests", dependencies: ["Catalogue", "CatalogueMaker"], swiftSettings: swift),
    .testTarget(name: "LocalServerTests", dependencies: ["LocalServer"], swiftSettings: swift),
    .testTarget(name: "SearchTests", dependencies: ["Search", "Catalogue", "LocalServer"], swiftSettings: swift),
    // Compiles the C library into programs of its own, with sanitizers.
    .testTarget(name: "CFeedTests", exclude: ["Checks"], swiftSettings: swift),
    .testTarget(
      name: "FeedTests",
      dependencies: ["Feed", "FeedImplementations", "ForeignFeed", .product(name: "Mainstay", package: "Mainstay")],
      swiftSettings: swift),
    .testTarget(
      name: "GalleryTests",
      dependencies: ["gallery", "Catalogue", "CatalogueMaker", "Feed", "FeedImplementations", "ForeignFeed"],
      swiftSettings: swift),
  ],
  cLanguageStandard: .gnu17
)
