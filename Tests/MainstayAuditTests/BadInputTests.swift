/// Packages that cannot be analysed: never a crash, never silence, the right exit status.
import Foundation
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct BadInputTests {
  private func package(_ files: [String: String], _ body: (String) throws -> Void) throws {
    let directory = NSTemporaryDirectory() + "/mainstay-bad-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for (name, text) in files {
      let path = directory + "/" + name
      let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    try body(directory)
  }

  private static let manifest = """
    // swift-tools-version: 6.2
    import PackageDescription
    let package = Package(name: "Bad", targets: [.target(name: "Bad")], swiftLanguageModes: [.v6])
    """

  @Test("a directory that is not there is bad usage") func missing() {
    #expect(throws: AuditFailure.self) { try Audit.run(AuditOptions(path: "/nowhere/at/all")) }
  }

  @Test("a directory without sources was not analysed") func empty() throws {
    try package([:]) { path in
      do {
        _ = try Audit.run(AuditOptions(path: path))
        Issue.record("an empty directory was analysed")
      } catch let failure as AuditFailure {
        #expect(failure.kind == .notAnalysed)
      }
    }
  }

  @Test("a package that does not compile is read from its source, and the exit status says so") func broken() throws {
    try package([
      "Package.swift": BadInputTests.manifest,
      "Sources/Bad/A.swift":
        "import Foundation\n@MainActor func f(_ u: URL) { _ = try? Data(contentsOf: u); undefined() }\n",
    ]) { path in
      let result = try Audit.run(AuditOptions(path: path))
      #expect(result.exitStatus == 4)
      #expect(result.modules.first?.source == .syntax)
      #expect(result.modules.first?.reason?.contains("undefined") == true)
      #expect(result.notes.contains { $0.contains("the build failed") })
      #expect(result.findings.contains { $0.rule == "main_actor_blocking" && $0.confidence == .low })
    }
  }

  @Test("a manifest that does not compile is said, not skipped") func brokenManifest() throws {
    try package(["Package.swift": "nonsense", "Sources/Bad/A.swift": "func f() {}\n"]) { path in
      let result = try Audit.run(AuditOptions(path: path))
      #expect(result.exitStatus == 4)
      #expect(!result.notes.isEmpty)
    }
  }

  @Test("links in a loop end") func loop() throws {
    try package(["A.swift": "func f() {}\n"]) { path in
      try FileManager.default.createSymbolicLink(atPath: path + "/loop", withDestinationPath: path)
      let result = try Audit.run(AuditOptions(path: path))
      #expect(result.modules.count == 1)
      #expect(result.exitStatus == 0)
    }
  }

  @Test("a broken configuration names its key and line") func configuration() throws {
    try package(["A.swift": "func f() {}\n", ".mainstay.json": "{\n  \"rulez\": {}\n}"]) { path in
      #expect(
        throws: ConfigurationFailure(
          file: ".mainstay.json", line: 2, reason: "unknown key 'rulez'; did you mean 'rules'?")
      ) {
        try Audit.run(AuditOptions(path: path))
      }
    }
  }

  @Test("an unknown rule names the nearest") func unknownRule() throws {
    try package(["A.swift": "func f() {}\n"]) { path in
      var options = AuditOptions(path: path)
      options.rules = ["hop_in_lop"]
      do {
        _ = try Audit.run(options)
        Issue.record("an unknown rule was accepted")
      } catch let failure as AuditFailure {
        #expect(failure.kind == .usage && failure.advice.contains("hop_in_loop"))
      }
    }
  }

  @Test("a toolchain whose SIL is unknown is refused in words") func toolchain() {
    let toolchain = Toolchain(version: "7.9", identity: "Swift version 7.9", compiler: "swiftc")
    #expect(toolchain.refusal?.reason.contains("7.9") == true)
    #expect(Toolchain(version: "6.3.1", identity: "", compiler: "").refusal == nil)
  }
}
