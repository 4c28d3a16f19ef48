// swift-tools-version: 6.2
import PackageDescription

/// Code that really compiles, for the audit to read. Each comment `// expect: <rule>` marks the line of a finding;
/// files named `Silent` hold none. Modules named SwiftUI and Combine are our own stubs of those frameworks.
let package = Package(
  name: "AuditFixtures",
  targets: [
    .target(name: "SwiftUI", path: "Stubs/SwiftUI"),
    .target(name: "Combine", path: "Stubs/Combine"),
    .target(name: "CCallback", path: "Stubs/CCallback"),
    .target(name: "Legacy", path: "Stubs/Legacy", swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(name: "Elsewhere"),
    .target(name: "MS101", dependencies: ["SwiftUI", "MS101Core", "Elsewhere"]),
    .target(name: "MS101Core", path: "Sources/MS101Core"),
    .target(
      name: "MS101Default",
      swiftSettings: [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .executableTarget(name: "MS101Program"),
    .executableTarget(name: "MS101Sequence"),
    .target(name: "MS102", dependencies: ["Elsewhere"]),
    .target(name: "MS103", dependencies: ["Elsewhere"]),
    .target(name: "MS104", dependencies: ["Elsewhere"]),
    .target(name: "MS105", dependencies: ["SwiftUI"]),
    .target(name: "MS201", dependencies: ["Elsewhere", "SwiftUI"]),
    .target(name: "MS202", dependencies: ["Elsewhere"]),
    .target(name: "MS203", dependencies: ["SwiftUI", "Combine"]),
    .target(name: "MS204", dependencies: ["SwiftUI"]),
    .target(name: "MS205"),
    .target(name: "MS206"),
    .target(name: "MS207", dependencies: ["SwiftUI"]),
    .target(name: "MS301"),
    .target(name: "MS302", dependencies: ["Legacy"]),
    .target(
      name: "MS304", dependencies: ["CCallback", "Legacy"],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .target(name: "MS303"),
    .target(name: "MS305", dependencies: ["SwiftUI", "Combine"]),
    .target(name: "MS401", dependencies: ["SwiftUI"]),
    .target(name: "MS402"),
    .target(name: "MS403", dependencies: ["SwiftUI"]),
    .target(name: "MS501", dependencies: ["Elsewhere"]),
    .target(name: "MS502", dependencies: ["SwiftUI", "Combine"]),
    .target(name: "MS503"),
    .target(name: "MS504", swiftSettings: [.defaultIsolation(MainActor.self)]),
    .target(name: "MS505"),
    .target(name: "Layers"),
    .target(name: "Namesakes", dependencies: ["SwiftUI"]),
    .target(name: "NamesakesCore", dependencies: ["SwiftUI"]),
    .target(name: "NamesakesUser", dependencies: ["NamesakesCore", "SwiftUI"]),
    .target(
      name: "Articles", dependencies: ["SwiftUI"],
      swiftSettings: [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
  ],
  swiftLanguageModes: [.v6]
)
