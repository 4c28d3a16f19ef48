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
      "Package.swift": "", "Sources/App/Tests/A.swift": "", "Web/Sources/Web/B.swift": "",
      "Web/Tests/WebTests/T.swift": "", "Kit/Tests/U.swift": "",
    ]
    try modules(files) { modules, _ in
      let names = Set(modules.flatMap(\.sources).map { String($0.split(separator: "/").last ?? "") })
      #expect(names == ["A.swift", "B.swift"])
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
      "Other/Package.swift": "", "Other/Tests/OtherTests/T.swift": "",
    ]
    try modules(files) { modules, _ in #expect(modules.flatMap(\.sources).map { $0.hasSuffix("/A.swift") } == [true]) }
    try modules(files, includeTests: true) { modules, _ in
      let names = Set(modules.flatMap(\.sources).map { String($0.split(separator: "/").last ?? "") })
      #expect(names == ["A.swift", "T.swift"])
    }
  }

  @Test("a project whose configurations differ says what most of them say") func configurations() {
    #expect(PackageModules.xcodeSettings(LooseModulesTests.project).isMainActorDefault)
    #expect(!PackageModules.xcodeSettings("SWIFT_VERSION = 5.0;").isMainActorDefault)
    #expect(!PackageModules.xcodeSettings("SWIFT_VERSION = 5.0;").isNonsendingByDefault)
  }
}
