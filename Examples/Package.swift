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

/// The folder that `make kotlin` made. A build that is told of it has the second foreign runtime, the others have not.
let kotlin = Context.environment["GALLERY_KOTLIN"].flatMap { $0.isEmpty ? nil : $0 }

/// C code: the usual warnings, each an error.
let c: [CSetting] = [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]

let package = Package(
  name: "Gallery",
  products: [
    .executable(name: "gallery", targets: ["gallery"]),
    // What a window shows, without a window: Examples/Desktop depends on it.
    .library(
      name: "GalleryFeatures",
      targets: [
        "Catalogue", "ColourExtraction", "Feed", "FeedImplementations", "FeedProbes", "ForeignFeed", "Palette",
        "Pictures", "PixbufPictures", "Playback", "PlaybackStore", "Search", "Stage", "Terminal", "Thumbnails",
        "WalletKit", "WalletPage", "WalletStore",
      ]),
    // A server for tests of what talks to one.
    .library(name: "LocalServer", targets: ["LocalServer"]),
    .executable(name: "wallet", targets: ["wallet"]),
  ],
  dependencies: [
    .package(name: "Mainstay", path: "..")
  ],
  targets: [
    // Services, decoders and data: they belong to no actor.
    .target(name: "Catalogue", swiftSettings: swift),
    .target(name: "CatalogueMaker", dependencies: ["Catalogue"], swiftSettings: swift),
    .target(name: "LocalServer", swiftSettings: swift),

    .target(name: "Pictures", swiftSettings: swift),
    .target(name: "ColourExtraction", dependencies: ["Pictures"], swiftSettings: swift),
    .target(name: "PlaybackStore", swiftSettings: swift),
    // What a view hands to a framework that calls it back off the main actor, and that framework.
    .target(name: "Stage", swiftSettings: swift),

    // The platform's decoders, which need no screen. No feature depends on them.
    .systemLibrary(name: "CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0", providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),
    .target(name: "CPictures", dependencies: ["CGdkPixbuf"]),
    .target(name: "PixbufPictures", dependencies: ["CPictures", "Pictures"], swiftSettings: swift),

    // UI-facing state: it belongs to the main actor.
    .target(
      name: "Search", dependencies: ["Catalogue", .product(name: "Mainstay", package: "Mainstay")],
      swiftSettings: userInterface),
    .target(
      name: "Palette",
      dependencies: ["ColourExtraction", "Pictures", "Stage", .product(name: "Mainstay", package: "Mainstay")],
      swiftSettings: userInterface),
    .target(name: "Playback", dependencies: ["PlaybackStore"], swiftSettings: userInterface),
    .target(
      name: "Thumbnails", dependencies: ["Catalogue", "Pictures", .product(name: "Mainstay", package: "Mainstay")],
      swiftSettings: userInterface),

    // The boundary: a foreign runtime, what it promises, and the screen that relies on it.
    .target(name: "CFeed", cSettings: c),
    .target(name: "ForeignFeed", dependencies: ["CFeed"], swiftSettings: swift),
    .target(
      name: "FeedImplementations", dependencies: ["ForeignFeed"] + (kotlin == nil ? [] : ["CFeed", "CKotlinFeed"]),
      swiftSettings: swift + (kotlin == nil ? [] : [.define("GALLERY_KOTLIN")])),
    .target(
      name: "Feed",
      dependencies: ["FeedImplementations", "ForeignFeed", .product(name: "Mainstay", package: "Mainstay")],
      swiftSettings: userInterface),

    // How commands read their options and write their results; and the probes, for a display and for none.
    .target(name: "Terminal", swiftSettings: swift),
    .target(
      name: "FeedProbes",
      dependencies: [
        "Feed", "FeedImplementations", "ForeignFeed", "Terminal", .product(name: "Mainstay", package: "Mainstay"),
      ],
      swiftSettings: userInterface),

    .executableTarget(
      name: "gallery",
      dependencies: [
        "Catalogue", "CatalogueMaker", "ColourExtraction", "Feed", "FeedImplementations", "FeedProbes", "ForeignFeed",
        "LocalServer", "Palette", "Pictures", "PixbufPictures", "Playback", "PlaybackStore", "Search", "Terminal",
        "Thumbnails",
        .product(name: "Mainstay", package: "Mainstay"),
      ],
      swiftSettings: swift),

    // The wallet: its domain, the databases that make it durable, its page, its command, and the article's mistakes.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "WalletKit", dependencies: [.product(name: "Mainstay", package: "Mainstay")], swiftSettings: swift),
    .target(
      name: "WalletStore",
      dependencies: ["CPostgreSQL", "CSQLite", "WalletKit", .product(name: "Mainstay", package: "Mainstay")],
      swiftSettings: swift),
    .target(name: "WalletPage", dependencies: ["WalletKit"], swiftSettings: userInterface),
    .target(
      name: "Broken", dependencies: ["WalletKit", .product(name: "Mainstay", package: "Mainstay")],
      swiftSettings: swift),
    .target(
      name: "WalletTrials",
      dependencies: ["WalletKit", "WalletStore", "Broken", .product(name: "Mainstay", package: "Mainstay")],
      swiftSettings: swift),
    .executableTarget(
      name: "wallet", dependencies: ["Terminal", "WalletKit", "WalletStore", "WalletTrials"], swiftSettings: swift),

    .testTarget(name: "TerminalTests", dependencies: ["Terminal"], swiftSettings: swift),
    .testTarget(name: "CatalogueTests", dependencies: ["Catalogue", "CatalogueMaker"], swiftSettings: swift),
    .testTarget(name: "LocalServerTests", dependencies: ["LocalServer"], swiftSettings: swift),
    .testTarget(name: "SearchTests", dependencies: ["Search", "Catalogue", "LocalServer"], swiftSettings: swift),
    .testTarget(name: "PicturesTests", dependencies: ["Pictures", "PixbufPictures"], swiftSettings: swift),
    .testTarget(
      name: "PaletteTests", dependencies: ["Palette", "ColourExtraction", "Pictures", "PixbufPictures", "Stage"],
      swiftSettings: swift),
    .testTarget(name: "PlaybackTests", dependencies: ["Playback", "PlaybackStore"], swiftSettings: swift),
    .testTarget(
      name: "ThumbnailsTests", dependencies: ["Thumbnails", "Catalogue", "Pictures"], swiftSettings: swift),
    // Compiles the C library into programs of its own, with sanitizers.
    .testTarget(name: "CFeedTests", exclude: ["Checks"], swiftSettings: swift),
    .testTarget(
      name: "FeedTests",
      dependencies: ["Feed", "FeedImplementations", "ForeignFeed", .product(name: "Mainstay", package: "Mainstay")],
      swiftSettings: swift),
    // The tool, as the tests of the examples find and run it.
    .target(name: "BuiltTool", path: "Tests/BuiltTool", swiftSettings: swift),
    .testTarget(
      name: "GalleryTests",
      dependencies: [
        "gallery", "BuiltTool", "Catalogue", "CatalogueMaker", "Feed", "FeedImplementations", "FeedProbes",
        "ForeignFeed", "Pictures", "PixbufPictures", "PlaybackStore", "Terminal",
      ],
      swiftSettings: swift),

    // The time that the wallet's tests have for a call.
    .target(name: "Patience", dependencies: ["WalletKit"], path: "Tests/Patience", swiftSettings: swift),
    .testTarget(name: "WalletKitTests", dependencies: ["Patience", "WalletKit"], swiftSettings: swift),
    .testTarget(
      name: "WalletStoreTests", dependencies: ["Patience", "WalletKit", "WalletStore", "WalletTrials"],
      swiftSettings: swift),
    .testTarget(name: "WalletPageTests", dependencies: ["Patience", "WalletKit", "WalletPage"], swiftSettings: swift),
    .testTarget(name: "WalletTests", dependencies: ["wallet", "Patience", "WalletStore"], swiftSettings: swift),
    .testTarget(name: "BrokenTests", dependencies: ["Broken", "BuiltTool", "WalletKit"], swiftSettings: swift),
  ],
  cLanguageStandard: .gnu17
)

if let kotlin {
  // Java's headers come with Java, which is found where `make kotlin` found it.
  let java = ["include", "include/linux"].flatMap { ["-isystem", "\(kotlin)/java-home/\($0)"] }
  package.targets.append(
    .target(name: "CKotlinFeed", dependencies: ["CFeed"], cSettings: c + [.unsafeFlags(java)]))
}
