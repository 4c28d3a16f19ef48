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
        _ = try Audit.run(.uncached(path))
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
      let result = try Audit.run(.uncached(path))
      #expect(result.exitStatus == 4)
      #expect(result.modules.first?.source == .syntax)
      #expect(result.modules.first?.reason?.contains("undefined") == true)
      #expect(result.notes.contains { $0.contains("the build failed") })
      #expect(result.findings.contains { $0.rule == "main_actor_blocking" && $0.confidence == .low })
    }
  }

  /// A file that always has one finding, to be found whatever lies beside it.
  private static let blocking = "import Foundation\n@MainActor func f(_ u: URL) -> Data? { try? Data(contentsOf: u) }\n"

  private func sourceOnly(_ path: String) throws -> AuditResult {
    var options = AuditOptions.uncached(path)
    options.sourceOnly = true
    return try Audit.run(options)
  }

  @Test("an enormous file is left out by name, the exit status says so, and the others are judged") func enormous()
    throws
  {
    try package(["A.swift": BadInputTests.blocking]) { path in
      let spaces = Data(repeating: 0x20, count: SourceTree.largestFile + 1)
      try spaces.write(to: URL(fileURLWithPath: path + "/Table.swift"))
      let result = try sourceOnly(path)
      #expect(result.exitStatus == 4)
      #expect(result.notes == ["Table.swift was left out: it is larger than 8 MB"])
      #expect(result.findings.map(\.rule) == ["main_actor_blocking"])
    }
  }

  @Test("brackets that would keep the parser busy for ever are left out by name") func brackets() throws {
    let deep = "let x = \(String(repeating: "[", count: SourceTree.deepestBrackets + 1))"
    try package(["A.swift": BadInputTests.blocking, "B.swift": deep]) { path in
      let result = try sourceOnly(path)
      #expect(result.exitStatus == 4)
      #expect(result.notes.count == 1 && result.notes[0].hasPrefix("B.swift was left out: more than 16 brackets"))
      #expect(result.findings.count == 1)
    }
  }

  @Test(
    "code that does not parse or nests a thousand deep hides nothing in the files beside it",
    arguments: [
      "func g( { if await", String(repeating: "if a { ", count: 1_000),
      "let x = " + String(repeating: "(", count: 1_000) + "1" + String(repeating: ")", count: 1_000),
      String(repeating: "struct A { func f() { ", count: 1_000),
      "<<<<<<< HEAD\nclass A {\n=======\nclass B {\n>>>>>>> x\n",
    ])
  func unparsable(_ text: String) throws {
    try package(["A.swift": BadInputTests.blocking, "B.swift": text]) { path in
      let result = try sourceOnly(path)
      #expect(result.exitStatus == 2)
      #expect(result.findings.filter { $0.location.file == "A.swift" }.map(\.rule) == ["main_actor_blocking"])
    }
  }

  @Test("calls that follow one another for thousands of functions are followed without a deep stack") func chain()
    throws
  {
    let links = (1...4_000).map { "  func f\($0)() { f\($0 - 1)() }\n" }.joined()
    let text = "final class A: @unchecked Sendable {\n  var x = 0\n  func f0() { x = 1 }\n\(links)}\n"
    try package(["A.swift": text]) { path in
      let result = try sourceOnly(path)
      #expect(result.findings.map(\.rule) == ["unchecked_sendable"])
    }
  }

  @Test("a function that is given to itself, and one that asks with its own answer, are looked at once")
  func itself() throws {
    let text = """
      @MainActor final class A {
        var state = 0
        func walk(_ x: Int) -> Bool { [x].contains(where: walk) }
        func ask(_ x: Int) async -> Int { x }
        func poll() { Task { var x = 0; while x < 9 { x = await ask(x) }; state = x } }
      }

      """
    try package(["A.swift": text]) { path in
      let result = try sourceOnly(path)
      #expect(result.isComplete)
    }
  }

  @Test("bytes that are no UTF-8 are read, in names and between them") func bytes() throws {
    try package([:]) { path in
      var data = Data([0xef, 0xbb, 0xbf])
      data.append(Data(BadInputTests.blocking.utf8))
      data.append(Data([0x2f, 0x2f, 0xff, 0xfe, 0x0a]))
      data.append(Data("func \u{e9}".utf8))
      data.append(Data([0xc3, 0x28, 0x29, 0x7b, 0x7d]))
      try data.write(to: URL(fileURLWithPath: path + "/A.swift"))
      let result = try sourceOnly(path)
      #expect(result.exitStatus == 2)
      #expect(result.findings.map(\.rule) == ["main_actor_blocking"])
    }
  }

  @Test("a file that does not parse is read as far as it can be, and its line is said")
  func parseErrors() throws {
    try package(["A.swift": BadInputTests.blocking + "func g() {\n  let = 1\n}\n", "B.swift": "func h() {}\n"]) {
      path in
      let one = try sourceOnly(path)
      #expect(one.notes == ["A.swift:4 does not parse: it was read as far as it can be understood"])
      #expect(one.exitStatus == 2 && one.findings.count == 1)
      try "func i( {}\n".write(toFile: path + "/C.swift", atomically: true, encoding: .utf8)
      #expect(
        try sourceOnly(path).notes == [
          "2 files do not parse, and were read as far as they can be understood: A.swift:4, C.swift:1"
        ])
    }
  }

  @Test("what is not UTF-8 is said, and what is no text at all is left out") func encodings() throws {
    try package(["A.swift": BadInputTests.blocking]) { path in
      try Data("func caf\u{e9}() {}\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        .write(to: URL(fileURLWithPath: path + "/B.swift"))
      try Data("// caf".utf8 + [0xe9, 0x0a] + "func f() {}\n".utf8).write(to: URL(fileURLWithPath: path + "/C.swift"))
      let result = try sourceOnly(path)
      #expect(
        result.notes.sorted() == [
          "B.swift was left out: it is no UTF-8 text",
          "C.swift is not all UTF-8: what is not was read as unknown characters",
        ])
      #expect(result.exitStatus == 4 && result.findings.count == 1)
    }
  }

  @Test("a module none of whose files can be read says that, not what was asked for") func noneRead() throws {
    try package(["A.swift": String(repeating: "[", count: 40)]) { path in
      let result = try sourceOnly(path)
      #expect(result.gaps.map(\.isUnread) == [true])
      #expect(result.gaps.first?.sentence.hasSuffix("was not analysed: none of its sources can be read") == true)
    }
  }

  @Test("where there is nothing to read it is said why, and what would be read") func nothing() throws {
    func failure(_ files: [String: String]) throws -> AuditFailure? {
      var found: AuditFailure?
      try package(files) { path in
        do { _ = try sourceOnly(path) } catch let failure as AuditFailure { found = failure }
      }
      return found
    }
    let tests = try failure(["Package.swift": BadInputTests.manifest, "Tests/BadTests/A.swift": "func f() {}\n"])
    #expect(tests?.message.hasSuffix("only tests") == true && tests?.advice == "pass --include-tests")
    let c = try failure(["Package.swift": BadInputTests.manifest, "Sources/Bad/a.c": "int f(void);\n"])
    #expect(c?.message.hasSuffix("only C") == true && c?.kind == .notAnalysed)
    #expect(try failure(["README": "x"])?.advice == "name a package's directory")
  }

  @Test("a folder that may not be looked into is said, and the exit status too", .enabled(if: geteuid() != 0))
  func unreadable() throws {
    try package(["A.swift": BadInputTests.blocking, "Sources/secret/B.swift": BadInputTests.blocking]) { path in
      let secret = path + "/Sources/secret"
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: secret)
      defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: secret) }
      let result = try sourceOnly(path)
      #expect(result.notes == ["Sources/secret cannot be read: what is in it was not analysed"])
      #expect(result.exitStatus == 4 && result.findings.count == 1)
    }
  }

  @Test("a manifest that does not compile is said, not skipped") func brokenManifest() throws {
    try package(["Package.swift": "nonsense", "Sources/Bad/A.swift": "func f() {}\n"]) { path in
      let result = try Audit.run(.uncached(path))
      #expect(result.exitStatus == 4)
      #expect(!result.notes.isEmpty)
    }
  }

  @Test("links in a loop end") func loop() throws {
    try package(["A.swift": "func f() {}\n"]) { path in
      try FileManager.default.createSymbolicLink(atPath: path + "/loop", withDestinationPath: path)
      let result = try Audit.run(.uncached(path))
      #expect(result.modules.count == 1)
      #expect(result.exitStatus == 0)
    }
  }

  @Test("what is linked from outside is read, once, and links there that go round in a circle end") func outside()
    throws
  {
    try package([
      "all/shared/One.swift": BadInputTests.blocking, "all/shared/more/Two.swift": "func g() {}\n",
      "all/other/Three.swift": "func h() {}\n", "all/App/A.swift": "func a() {}\n",
    ]) { path in
      let all = path + "/all"
      for (link, target) in [
        ("App/One.swift", all + "/shared/One.swift"), ("App/shared", all + "/shared"),
        ("shared/more/back", all + "/other"), ("other/there", all + "/shared"), ("App/whole", all),
        ("App/again.swift", all + "/App/A.swift"),
      ] {
        try FileManager.default.createSymbolicLink(atPath: all + "/" + link, withDestinationPath: target)
      }
      let result = try Audit.run(.uncached(all + "/App"))
      #expect(result.filesParsed == 5, "A, One and what is in both folders; nothing of what holds it")
      #expect(result.exitStatus == 2 && result.notes.isEmpty, "\(result.notes)")
      #expect(result.findings.map(\.location.file).sorted() == ["One.swift", "shared/One.swift"])
    }
  }

  @Test("a link to nothing, and a name that is no UTF-8, are said; what need not be Swift is not") func unnamed() throws
  {
    try package(["A.swift": "func f() {}\n"]) { path in
      let nothing = path + "/Gone.swift"
      try FileManager.default.createSymbolicLink(atPath: nothing, withDestinationPath: "/nowhere/Gone.swift")
      try FileManager.default.createSymbolicLink(atPath: path + "/gone.txt", withDestinationPath: "/nowhere/gone.txt")
      for name in ["/bad\u{1}.swift", "/picture\u{1}.png", "/folder\u{1}"] {
        let bytes = (path + name).utf8.map { $0 == 1 ? 0xFF : $0 } + [0]
        let file = bytes.withUnsafeBytes { open($0.baseAddress!.assumingMemoryBound(to: CChar.self), O_CREAT, 0o644) }
        try #require(file >= 0)
        close(file)
      }
      let result = try Audit.run(.uncached(path))
      #expect(result.exitStatus == 4)
      #expect(result.notes.count == 3, "\(result.notes)")
      #expect(result.notes.contains { $0.contains("Gone.swift is a link to nothing that can be read") })
      for name in ["bad\u{FFFD}.swift", "folder\u{FFFD}"] {
        #expect(result.notes.contains { $0.contains("\(name) has a name that is no UTF-8") }, "\(result.notes)")
      }
      #expect(Contracts.unread(in: path).count == 3)
    }
  }

  @Test("what is wrong with a manifest is said, and not how it was compiled") func manifestError() throws {
    try package([
      "Package.swift": BadInputTests.manifest + "\nlet nothing = undefinedName\n",
      "Sources/Bad/A.swift": "func f() {}\n",
    ]) { path in
      let notes = try Audit.run(.uncached(path)).notes
      #expect(notes.contains { $0.contains("the build failed") && $0.contains("undefinedName") }, "\(notes)")
    }
  }

  @Test("a broken configuration names its key and line") func configuration() throws {
    try package(["A.swift": "func f() {}\n", ".mainstay.json": "{\n  \"rulez\": {}\n}"]) { path in
      #expect(
        throws: ConfigurationFailure(
          file: ".mainstay.json", line: 2, reason: "unknown key 'rulez'; did you mean 'rules'?")
      ) {
        try Audit.run(.uncached(path))
      }
    }
  }

  @Test("an unknown rule names the nearest") func unknownRule() throws {
    try package(["A.swift": "func f() {}\n"]) { path in
      var options = AuditOptions.uncached(path)
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
