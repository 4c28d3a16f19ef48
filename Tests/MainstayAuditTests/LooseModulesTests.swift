/// Which modules are seen where no build describes them.
import Foundation
import Testing

@testable import MainstayAudit

@Suite struct LooseModulesTests {
  private func modules(
    _ files: [String: String], includeTests: Bool = false, _ body: ([SourceModule], String) throws -> Void
  ) throws {
    let directory = PackageModules.resolved(NSTemporaryDirectory()) + "/mainstay-loose-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for (name, text) in files {
      let path = directory + "/" + name
      let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    try body(PackageModules(path: directory).looseModules(includeTests: includeTests), directory)
  }

  private static let project = """
    SWIFT_APPROACHABLE_CONCURRENCY = YES;
    SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor;
    SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor;
    SWIFT_DEFAULT_ACTOR_ISOLATION = nonisolated;
    """

  @Test("an application's packages are modules of their own, with their own manifest's isolation") func packages()
    throws
  {
    let manifest = """
      let package = Package(name: "Kit", targets: [
        .target(name: "Kit", swiftSettings: [.defaultIsolation(MainActor.self)]), .target(name: "Core"),
      ])
      """
    try modules([
      "App/AppMain.swift": "", "App.xcodeproj/project.pbxproj": LooseModulesTests.project,
      "Packages/Kit/Package.swift": manifest, "Packages/Kit/Sources/Kit/A.swift": "",
      "Packages/Kit/Sources/Core/B.swift": "", "Packages/Kit/Tests/KitTests/C.swift": "",
    ]) { modules, root in
      #expect(modules.map(\.name).dropLast() == ["Core", "Kit"])
      #expect(modules.map(\.defaultIsolation) == [nil, "MainActor", "MainActor"])
      #expect(modules.last.map { root.hasSuffix("/" + $0.name) } == true)
      #expect(modules.last?.isNonsendingByDefault == true)
    }
  }

  @Test("tests of a package are left out wherever its targets lie, and a folder of that name among sources is none")
  func nestedTests() throws {
    let files = [
      "Package.swift": "", "Sources/App/Tests/A.swift": "", "Sources/App/Main.swift": "", "Web/Sources/Web/B.swift": "",
      "Web/Tests/WebTests/T.swift": "", "Kit/Tests/U.swift": "",
    ]
    try modules(files) { modules, _ in
      let names = Set(modules.flatMap(\.sources).map { String($0.split(separator: "/").last ?? "") })
      #expect(names == ["A.swift", "B.swift", "Main.swift"])
    }
    try modules(files, includeTests: true) { modules, _ in
      let tests = modules.filter(\.isTest).flatMap(\.sources).map { String($0.split(separator: "/").last ?? "") }
      #expect(Set(tests) == ["T.swift", "U.swift"])
    }
  }

  @Test("tests of an application are left out until they are asked for, and what a package manager fetched always")
  func tests() throws {
    let files = [
      "App/A.swift": "", "App.xcodeproj/project.pbxproj": "", "AppUITests/T.swift": "", "Pods/Alien/P.swift": "",
      "fastlane/swift/main.swift": "",
      "Other/Package.swift": "", "Other/Tests/OtherTests/T.swift": "",
    ]
    try modules(files) { modules, _ in #expect(modules.flatMap(\.sources).map { $0.hasSuffix("/A.swift") } == [true]) }
    try modules(files, includeTests: true) { modules, _ in
      let names = Set(modules.flatMap(\.sources).map { String($0.split(separator: "/").last ?? "") })
      #expect(names == ["A.swift", "T.swift"])
    }
  }

  @Test("sources belong to the target whose folder the manifest names, wherever that is") func paths() throws {
    let manifest = #"""
      let platforms = "Platforms"
      let package = Package(name: "Kit", targets: [
        .target(name: "Core"),
        .target(name: "Web", path: "./\(platforms)//Web/", exclude: ["Old", "README.md"],
          swiftSettings: [.defaultIsolation(MainActor.self)]),
        .target(name: "Web-Tool", path: "Platforms/Web/Tool", sources: ["main.swift", "Parts"]),
        .testTarget(name: "WebChecks", path: "Platforms/Checks"),
        .target(name: "Support", path: "Tests/Support"),
      ])
      """#
    let files = [
      "Package.swift": manifest, "Package@swift-5.9.swift": "", "Sources/Core/A.swift": "", "Sources/Other/B.swift": "",
      "Platforms/Web/W.swift": "",
      "Platforms/Web/Old/O.swift": "", "Platforms/Web/Tool/main.swift": "", "Platforms/Web/Tool/Parts/P.swift": "",
      "Platforms/Web/Tool/Unused.swift": "", "Platforms/Checks/T.swift": "", "Tests/Support/S.swift": "",
      "Demo/D.swift": "",
    ]
    func described(_ modules: [SourceModule], _ root: String) -> [String] {
      modules.filter { !root.hasSuffix("/" + $0.name) }.map { module in
        module.name + ": " + module.sources.map { String($0.dropFirst(root.count + 1)) }.joined(separator: " ")
      }
    }
    try modules(files) { modules, root in
      #expect(
        described(modules, root) == [
          "Core: Sources/Core/A.swift", "Other: Sources/Other/B.swift",
          "Web: Platforms/Web/Tool/Unused.swift Platforms/Web/W.swift",
          "Web_Tool: Platforms/Web/Tool/Parts/P.swift Platforms/Web/Tool/main.swift",
        ])
      #expect(modules.filter { $0.defaultIsolation != nil }.map(\.name) == ["Web"])
      #expect(modules.last { root.hasSuffix("/" + $0.name) }?.sources == [root + "/Demo/D.swift"])
    }
    try modules(files, includeTests: true) { modules, _ in
      #expect(modules.filter(\.isTest).map(\.name) == ["Support", "WebChecks"])
    }
  }

  @Test("a target without a folder of its name has the usual one when it is the only one of its kind")
  func onlyTarget() throws {
    let manifest = """
      let package = Package(name: "Kit", targets: [.target(name: "Kit"), .testTarget(name: "KitTests")])
      """
    try modules(["Package.swift": manifest, "Source/A.swift": "", "Tests/T.swift": ""], includeTests: true) {
      modules, _ in
      #expect(modules.map(\.name) == ["Kit", "KitTests"])
      #expect(modules.map(\.isTest) == [false, true])
    }
  }

  @Test("a project whose configurations differ says what most of them say") func configurations() {
    #expect(PackageModules.xcodeSettings(LooseModulesTests.project).isMainActorDefault)
    #expect(!PackageModules.xcodeSettings("SWIFT_VERSION = 5.0;").isMainActorDefault)
    #expect(!PackageModules.xcodeSettings("SWIFT_VERSION = 5.0;").isNonsendingByDefault)
  }
}
