/// What a manifest's text says of its targets: names, folders, what is left out, isolation.
import Testing

@testable import MainstayAudit

@Suite struct ManifestTests {
  private func target(_ name: String, _ text: String) -> Manifest.Target? {
    Manifest.read(text).targets.first { $0.name == name }
  }

  @Test("the manifest's default isolation is read") func isolation() {
    let text = """
      let package = Package(name: "p", targets: [
        .target(name: "App", swiftSettings: [.defaultIsolation(MainActor.self)]), .target(name: "Core")
      ])
      """
    #expect(target("App", text)?.settings.isMainActorDefault == true)
    #expect(target("Core", text)?.settings.isMainActorDefault == false)
  }

  @Test("settings that a constant names, a function returns or a loop gives to all are read")
  func settingsElsewhere() {
    let text = """
      let isolated: [SwiftSetting] = [.defaultIsolation(MainActor.self)] + common
      let common: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
      func settings(_ more: SwiftSetting...) -> [SwiftSetting] { common + more }
      let package = Package(name: "p", targets: [
        .target(name: "App", swiftSettings: isolated), .target(name: "Core", swiftSettings: settings()),
        .target(name: "Plain"),
      ])
      """
    #expect(target("App", text)?.settings == ManifestSettings(isMainActorDefault: true, isNonsendingByDefault: true))
    #expect(target("Core", text)?.settings == ManifestSettings(isMainActorDefault: false, isNonsendingByDefault: true))
    #expect(target("Plain", text)?.settings == ManifestSettings())
    let loop = """
      let package = Package(name: "p", targets: [.target(name: "App")])
      for target in package.targets where target.type != .system {
        target.swiftSettings = (target.swiftSettings ?? []) + [.defaultIsolation(MainActor.self)]
      }
      """
    #expect(target("App", loop)?.settings.isMainActorDefault == true)
  }

  @Test("names and folders are read through constants, interpolation and sums") func values() {
    let text = #"""
      let base = "Platforms"
      let name = "Kit"
      let package = Package(name: "p", targets: [
        .target(name: name, dependencies: [.target(name: "Inner")], path: "\(base)/\(name)"),
        .executableTarget(name: name + "Tool", path: base + "/Tool", sources: ["main.swift", "Parts"]),
        Target.testTarget(name: "KitTests"),
      ])
      package.targets.append(.target(name: "Late", path: unknown(1)))
      """#
    #expect(Manifest.read(text).targets.map(\.name) == ["Kit", "KitTests", "KitTool", "Late"])
    #expect(target("Kit", text)?.path == "Platforms/Kit")
    #expect(target("KitTool", text)?.path == "Platforms/Tool")
    #expect(target("KitTool", text)?.sources == ["main.swift", "Parts"])
    #expect(target("KitTests", text)?.kind == .test)
    #expect(target("Late", text)?.path == nil)
  }

  @Test("only what every system leaves out is left out, and this system's target is the one that counts")
  func systems() {
    let text = """
      #if os(Linux)
      let excluded = ["Apple", "Old"]
      let folder = "Here"
      #else
      let excluded = ["Old", "Glibc"]
      let folder = "There"
      #endif
      #if os(Windows)
      let targets: [Target] = [.target(name: "App", path: "Windows"), .target(name: "Console")]
      #else
      let targets: [Target] = [.target(name: "App", path: folder, exclude: excluded + ["Info.plist"] + (old ? ["X"] : []))]
      #endif
      """
    #expect(target("App", text)?.path == "Here")
    #expect(target("App", text)?.excluded == ["Info.plist", "Old"])
    #expect(target("Console", text) != nil)
  }

  @Test("of several manifests the newest that is understood counts, and none is a source") func versions() {
    func manifest(_ version: String) -> String { "// swift-tools-version:\(version)\n" }
    let old = manifest("5.9")
    let new = manifest(" 6.2")
    let later = manifest("99.1")
    #expect(Manifest.current(of: [old, new, later]) == new)
    #expect(Manifest.current(of: [later, old]) == old)
    #expect(Manifest.current(of: [later]) == later)
    #expect(Manifest.current(of: [manifest("6.3.1"), old]) == manifest("6.3.1"))
    #expect(Manifest.current(of: []) == nil)
    #expect(Manifest.isName("Package@swift-6.2.swift") && !Manifest.isName("Package+More.swift"))
  }

  @Test(
    "no text makes the reader stop or go on for ever",
    arguments: [
      "", "let a = a\nlet p = [.target(name: a)]", "let a = b, b = a\n.target(name: \"\\(a)\", exclude: b)",
      ".target(name: \"A\", path: \"", "let a = [a] + a\nlet p = [.target(name: \"A\", sources: a, swiftSettings: a)]",
    ])
  func damaged(_ text: String) { #expect(Manifest.read(text).targets.count <= 1) }
}
