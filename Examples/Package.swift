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

    // UI-facing state: it belongs to the main actor.
    .target(
      name: "Search", dependencies: ["Catalogue", .product(name: "Mainstay", package: "Mainstay")],
      swiftSettings: userInterface),

    // The boundary: a foreign runtime, what it promises, and the screen that relies on it.
    .target(name: "CFeed", cSettings: c),
    .target(name: "ForeignFeed", dependencies: ["CFeed"], swiftSettings: swift),
    .target(
      name: "FeedImplementations", dependencies: ["ForeignFeed"] + (kotlin == nil ? [] : ["CFeed", "CKotlinFeed"]),
      swiftSettings: swift + (kotlin == nil ? [] : [.define("GALLERY_KOTLIN")])),
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
      name: "wallet", dependencies: ["WalletKit", "WalletStore", "WalletTrials"], swiftSettings: swift),

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

    .testTarget(name: "WalletKitTests", dependencies: ["WalletKit"], swiftSettings: swift),
    .testTarget(
      name: "WalletStoreTests", dependencies: ["WalletKit", "WalletStore", "WalletTrials"], swiftSettings: swift),
    .testTarget(name: "WalletPageTests", dependencies: ["WalletKit", "WalletPage"], swiftSettings: swift),
    .testTarget(name: "WalletTests", dependencies: ["wallet", "WalletStore"], swiftSettings: swift),
    .testTarget(name: "BrokenTests", dependencies: ["Broken", "WalletKit"], swiftSettings: swift),
  ],
  cLanguageStandard: .gnu17
)

if let kotlin {
  // Java's headers come with Java, which is found where `make kotlin` found it.
  let java = ["include", "include/linux"].flatMap { ["-isystem", "\(kotlin)/java-home/\($0)"] }
  package.targets.append(
    .target(name: "CKotlinFeed", dependencies: ["CFeed"], cSettings: c + [.unsafeFlags(java)]))
}
