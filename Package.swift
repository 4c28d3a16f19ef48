// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Swift code: no warnings, and the compiler's complete concurrency checking (Swift 6 mode).
let swift: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// `<toolchain>/usr` of the toolchain that is running this build, which carries SwiftSyntax in `lib/swift/host`.
///
/// The manifest process has the toolchain's own manifest library mapped, which answers even without a `PATH`.
func toolchain() -> String {
  let files = FileManager.default
  func carriesSyntax(_ usr: String) -> Bool {
    files.fileExists(atPath: usr + "/lib/swift/host/SwiftSyntax.swiftmodule")
  }
  let environment = ProcessInfo.processInfo.environment
  if let usr = environment["MAINSTAY_TOOLCHAIN_USR"], carriesSyntax(usr) { return usr }
  if let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) {
    for line in maps.split(separator: "\n") {
      guard let library = line.range(of: "/lib/swift/pm/ManifestAPI/libPackageDescription"),
        let start = line.firstIndex(of: "/")
      else { continue }
      let usr = String(line[start..<library.lowerBound])
      if carriesSyntax(usr) { return usr }
    }
  }
  for directory in (environment["PATH"] ?? "").split(separator: ":") {
    let compiler = URL(fileURLWithPath: String(directory) + "/swift")
    guard files.isExecutableFile(atPath: compiler.path) else { continue }
    let usr = compiler.resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent().path
    if carriesSyntax(usr) { return usr }
  }
  return ""
}

/// Only what parses Swift source gets these: other packages cannot depend on targets with unsafe flags.
let host = toolchain() + "/lib/swift/host"
let syntax: [SwiftSetting] = swift + [.unsafeFlags(["-I", host])]
let syntaxLibraries: [LinkerSetting] = [
  .unsafeFlags(["-L", host, "-Xlinker", "-rpath", "-Xlinker", host]),
  .linkedLibrary("SwiftSyntax"), .linkedLibrary("SwiftParser"),
]

let package = Package(
  name: "Mainstay",
  // For `Mutex` and `Duration`. The library compiles for Apple platforms and is not tested there.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "mainstay", targets: ["mainstay-cli"]),
    .library(name: "Mainstay", targets: ["Mainstay"]),
    .library(name: "MainstayTesting", targets: ["MainstayTesting"]),
    .library(name: "MainstayRecording", targets: ["MainstayRecording", "MainstayTrace"]),
  ],
  targets: [
    // The bytes of a recording: one header, shared by what records and what reads.
    .target(name: "CMainstayTrace"),
    // Without what starts a preloaded recorder by itself: BuildPreload compiles that.
    .target(name: "CMainstayRecorder", dependencies: ["CMainstayTrace"], exclude: ["preload.c"]),

    // What an application links.
    .target(name: "Mainstay", swiftSettings: swift),

    // What reads recordings.
    .target(
      name: "MainstayTrace", dependencies: ["CMainstayDemangling", "CMainstayTrace", "Mainstay"], swiftSettings: swift),
    // Demangles in a child process.
    .target(name: "CMainstayDemangling"),
    // The recorder within a process: who links it has it between the program and the runtime.
    .target(
      name: "MainstayRecording",
      dependencies: [
        .target(name: "CMainstayRecorder", condition: .when(platforms: [.linux])), "Mainstay", "MainstayTrace",
      ], swiftSettings: swift),
    // What tests link.
    .target(
      name: "MainstayTesting", dependencies: ["Mainstay", "MainstayRecording", "MainstayTrace"], swiftSettings: swift),
    // What reads code.
    .target(name: "MainstayFindings", swiftSettings: swift),
    .target(
      name: "MainstayAudit", dependencies: ["Mainstay", "MainstayFindings"], swiftSettings: syntax,
      linkerSettings: syntaxLibraries),

    // What puts both together.
    .target(
      name: "MainstayReport", dependencies: ["Mainstay", "MainstayTrace", "MainstayFindings"], swiftSettings: swift),

    .executableTarget(
      name: "mainstay-cli",
      dependencies: ["Mainstay", "MainstayTrace", "MainstayAudit", "MainstayFindings", "MainstayReport"],
      swiftSettings: syntax,
      plugins: ["BuildPreload"]),
    .plugin(name: "BuildPreload", capability: .buildTool()),

    .testTarget(name: "MainstayTests", dependencies: ["Mainstay"], swiftSettings: swift),
    .testTarget(
      name: "MainstayTraceTests", dependencies: ["CMainstayTrace", "MainstayTrace"], swiftSettings: swift),
    .testTarget(
      name: "MainstayRecordingTests", dependencies: ["MainstayRecording", "MainstayTrace"], swiftSettings: swift),
    .testTarget(
      name: "MainstayTestingTests", dependencies: ["Mainstay", "MainstayRecording", "MainstayTesting"],
      swiftSettings: swift),
    .testTarget(name: "MainstayFindingsTests", dependencies: ["MainstayFindings"], swiftSettings: swift),
    .testTarget(
      name: "MainstayReportTests", dependencies: ["MainstayReport", "MainstayTrace", "MainstayFindings"],
      swiftSettings: swift),
    .testTarget(name: "MainstayAuditTests", dependencies: ["MainstayAudit"], swiftSettings: syntax),
    // The documents, the package and the built library against each other.
    .testTarget(name: "ProjectTests", swiftSettings: swift),
    // Compiles the recorder's C files into programs of its own, with sanitizers.
    .testTarget(name: "CMainstayRecorderTests", swiftSettings: swift),
    // Starts the built tool on the programs of Tests/Fixtures.
    .testTarget(name: "EndToEnd", dependencies: ["MainstayTrace"], swiftSettings: swift),
  ],
  cLanguageStandard: .gnu17
)
