/// What the source alone says: less than the compiler, with less confidence, and never silent about it.
import Foundation
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct SyntaxFrontendTests {
  private func audit() throws -> AuditResult {
    var options = AuditOptions.uncached(FixtureExpectation.package)
    options.sourceOnly = true
    return try Audit.run(options)
  }

  @Test("without a compiler nine tenths of the fixtures' findings are found, each with low confidence") func recall()
    throws
  {
    let result = try audit()
    let found = Set(result.findings.map { "\($0.location.file):\($0.location.line) \($0.rule)" })
    let expected = Set(try FixtureExpectation.read().map(\.description))
    #expect(
      found.intersection(expected).count * 10 >= expected.count * 9,
      "\(found.intersection(expected).count) of \(expected.count)")
    // A contract's digest is exact whoever reads the functions.
    #expect(result.findings.allSatisfy { $0.confidence == .low || $0.rule == "contract_changed" })
    #expect(result.modules.allSatisfy { $0.source == .syntax && $0.reason != nil })
  }

  @Test("without a compiler nothing is warned of that no fixture expects") func silent() throws {
    let found = Set(
      try audit().findings.filter { $0.severity > .note && $0.location.file.hasPrefix("Sources/") }
        .map { "\($0.location.file):\($0.location.line) \($0.rule)" })
    let expected = Set(try FixtureExpectation.read().map(\.description))
    #expect(found.subtracting(expected).sorted() == [])
  }

  @Test("rules that are judged side by side say what they say one after the other", arguments: [1, 2, 8])
  func widths(width: Int) throws {
    #expect(
      RuleCatalogue.groups.flatMap(\.self).map { $0.documentation.code }.sorted()
        == RuleCatalogue.documentation.map(\.code))
    var options = AuditOptions.uncached(FixtureExpectation.package)
    options.sourceOnly = true
    options.width = width
    let result = try Audit.run(options)
    #expect(result.findings == (try audit().findings))
    #expect(result.filesParsed == (try audit().filesParsed))
  }

  @Test("without a compiler, too, a type's namesake in another module lends it nothing") func namesakes() throws {
    let found = try audit().findings.filter { $0.location.file == "Sources/NamesakesCore/Heavy.swift" }
    #expect(found.count == 3)
    #expect(found.allSatisfy { $0.roots.allSatisfy { $0.hasPrefix("Counterpart.") } }, "\(found.map(\.roots))")
  }

  /// A piece, how often it is repeated, and what stands before and after.
  struct Deep: Sendable, CustomTestStringConvertible {
    var before = ""
    var piece: String
    var count: Int
    var end = ""
    var text: String {
      before + String(repeating: piece, count: count) + String(repeating: end, count: end.isEmpty ? 0 : count)
    }
    var testDescription: String { "\(count) times '\(before)\(piece)'" }
  }

  @Test(
    "code that nests thousands deep is read",
    arguments: [
      Deep(piece: "(", count: 5_000), Deep(piece: "{ [", count: 3_000),
      Deep(before: "let x = a", piece: ".b()", count: 3_000), Deep(before: "let x = 1", piece: " + 1", count: 3_000),
      Deep(piece: "if a { ", count: 2_000, end: "}"), Deep(before: "if a {}", piece: " else if b {}", count: 2_000),
      Deep(piece: "struct A { ", count: 1_500, end: "}"),
    ])
  func deep(_ deep: Deep) throws {
    let path = NSTemporaryDirectory() + "/mainstay-deep-\(UUID().uuidString).swift"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try deep.text.write(toFile: path, atomically: true, encoding: .utf8)
    let facts = try SyntaxFrontend().read(SourceModule(name: "A", sources: [path], command: nil, isTest: false))
    #expect(facts.count == 1)
  }

  @Test("brackets that would keep the parser busy for ever are left out, as many as people write are read")
  func brackets() throws {
    let path = NSTemporaryDirectory() + "/mainstay-brackets-\(UUID().uuidString).swift"
    defer { try? FileManager.default.removeItem(atPath: path) }
    for (count, isRead) in [(SourceTree.deepestBrackets, true), (SourceTree.deepestBrackets + 1, false)] {
      let text = "let x = \(String(repeating: "[ ", count: count))1\(String(repeating: "]", count: count))\n"
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect((SourceTree.text(path) != nil) == isRead)
    }
  }

  @Test("bytes that are no UTF-8 are read, and an enormous file is left out") func bytes() throws {
    let path = NSTemporaryDirectory() + "/mainstay-bytes-\(UUID().uuidString).swift"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data([0x66, 0x75, 0x6e, 0x63, 0x20, 0xff, 0xfe, 0x28, 0x29, 0x20, 0x7b, 0x7d]).write(
      to: URL(fileURLWithPath: path))
    #expect(SourceTree.text(path)?.hasPrefix("func ") == true)
    try Data(repeating: 0x20, count: SourceTree.largestFile + 1).write(to: URL(fileURLWithPath: path))
    #expect(SourceTree.text(path) == nil)
  }

  @Test(
    "what a defer puts off runs at the end of its block and at each way out of it, and a return inside one runs nothing",
    arguments: [
      (
        "defer { inner(); defer { innermost() }; return }; if x { return }; last()",
        "inner innermost last inner innermost"
      ),
      ("if x { defer { inner() }; body() }; last()", "body inner last"),
      ("for i in 0..<x { defer { inner() }; if i > 1 { break }; body() }; last()", "inner body inner last"),
      ("defer { outer() }; do { defer { inner() }; throw body() } catch { caught() }", "body inner caught outer"),
      ("defer { outer() }; do { defer { inner() }; return }", "inner outer"),
      ("#if A\ndefer { outer() }\n#endif\nlast()", "last outer"),
    ])
  func deferred(_ body: String, _ order: String) throws {
    let calls = try functions("func f(_ x: Int) throws {\n\(body)\n}\n")["f(_:)"]?.events.compactMap { event in
      if case .call(let call) = event.kind, call.display.hasSuffix("()") {
        String(call.display.dropLast(2))
      } else {
        nil
      }
    }
    #expect(calls?.filter { $0 != "IndexingIterator.next" }.joined(separator: " ") == order)
  }

  @Test("main() of the type that is marked @main runs on the main actor, that of another one on no actor")
  func entryPoint() throws {
    let text = """
      @main struct Program { static func main() {} }
      struct Other { static func main() {}; func main() {} }
      """
    let found = try functions(text).mapValues(\.isolation)
    #expect(
      found == [
        "static Program.main()": .mainActor, "static Other.main()": .nonisolated, "Other.main()": .nonisolated,
      ])
  }

  @Test("with a cache the same is read: after nothing changed, a body, a place, a declaration elsewhere, and a setting")
  func cached() throws {
    let folder = NSTemporaryDirectory() + "/mainstay-kept-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var sources = [
      "A.swift": "final class Feed { let store = Store(); func load() async { await store.read() } }\n",
      "B.swift": "final class Store { func read() async { step() }\n  func step() {} }\n",
      "C.swift": "func broken( {\n",
    ]
    var module = SourceModule(
      name: "App", sources: sources.keys.sorted().map { folder + "/" + $0 }, command: nil, isTest: false)
    let cache = SourceCache(FactsCache(directory: folder + "/kept"))
    func check(_ what: String) throws -> Set<String> {
      for (name, text) in sources { try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8) }
      let fresh = SyntaxFrontend().read([module])
      #expect(SyntaxFrontend(cache: cache).read([module]) == fresh, "\(what)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/kept")
      #expect(names.count == 2, "an entry for each file that parses: \(what)")
      #expect(SyntaxFrontend(cache: cache).read([module]) == fresh, "\(what), again")
      // An entry that is written is a new file. A link to it keeps its number from going to a later one.
      return Set(
        try names.map { name in
          let link = folder + "/" + UUID().uuidString
          try FileManager.default.linkItem(atPath: folder + "/kept/" + name, toPath: link)
          return "\(name) \(try FileManager.default.attributesOfItem(atPath: link)[.systemFileNumber] ?? "")"
        })
    }
    let first = try check("cold")
    #expect(try check("nothing changed") == first)
    sources["B.swift"] = "final class Store { func read() async { step(); step() }\n  func step() {} }\n"
    #expect(try check("a body").intersection(first).count == 1, "another file's body is nobody else's concern")
    sources["B.swift"] = "// Where things are.\n" + (sources["B.swift"] ?? "")
    #expect(try check("a place").intersection(first).count == 1)
    sources["B.swift"] = "actor Store { func read() async { step() }\n  func step() {} }\n"
    #expect(try check("a declaration elsewhere").isDisjoint(with: first))
    module.defaultIsolation = "MainActor"
    #expect(try check("a setting").isDisjoint(with: first))
  }

  @Test("an object that is written out of a few names and numbers is small to encode, one with a list in it is not")
  func writtenOut() throws {
    let folder = NSTemporaryDirectory() + "/mainstay-json-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try """
    import Foundation
    @MainActor final class Window {
      var rows: [String] = []
      func small(_ id: Int, root: URL) -> Data? {
        let object: [String: Any] = ["id": id, "at": ["x": 1.5, "root": root.path], "isShown": true]
        return try? JSONSerialization.data(withJSONObject: object)
      }
      func large(_ id: Int) -> Data? {
        try? JSONSerialization.data(withJSONObject: ["id": id, "rows": rows])
      }
      func changed(_ id: Int) -> Data? {
        var object: [String: Any] = ["id": id]
        object["rows"] = rows
        return try? JSONSerialization.data(withJSONObject: object)
      }
      func shownElsewhere(_ object: Any) -> Data? { try? JSONSerialization.data(withJSONObject: object) }
    }
    """.write(toFile: folder + "/Window.swift", atomically: true, encoding: .utf8)
    var options = AuditOptions(path: folder)
    options.sourceOnly = true
    let found = try Audit.run(options).findings.filter { $0.rule == "main_actor_blocking" }
    #expect(found.map(\.location.line).sorted() == [9, 14, 16])
  }

  @Test("handlers that a framework calls on any thread are on no actor, those of one's own are where they stand")
  func handlers() throws {
    let text = """
      @MainActor final class Screen {
        func own(_ key: KeyPath<Player, Int>, then handler: @escaping () -> Void) {}
        func show(_ player: Player, _ provider: NSItemProvider, _ process: Process) {
          let one = player.observe(\\.rate, options: [.new]) { _, _ in here() }
          provider.loadItem(forTypeIdentifier: "text") { _, _ in here() }
          _ = provider.loadDataRepresentation(for: .image) { _, _ in here() }
          process.terminationHandler = { _ in here() }
          own(\\.rate) { here() }
          player.observe(rate) { here() }
          loadItem(named: "a") { here() }
          process.handler = { here() }
        }
      }
      """
    let found = try functions(text).filter { $0.key.hasPrefix("closure") }
    let isolations = (1...8).map { found["closure #\($0) in Screen.show(_:_:_:)"]?.isolation }
    #expect(
      isolations == [
        .nonisolated, .nonisolated, .nonisolated, .nonisolated, .mainActor, .mainActor, .mainActor, .mainActor,
      ])
  }

  @Test("a screen that asks for one thing, which nobody else sets, is left alone; one whose control sets it is not")
  func oneQuestion() throws {
    let folder = NSTemporaryDirectory() + "/mainstay-question-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try """
    struct Verbs: View {
      let service: Service
      @State var verbs: [String] = []
      var body: some View { Text("").onAppear { Task { verbs = await service.search("verbs") } } }
    }
    struct Choice: View {
      let service: Service
      @State var isOn = false
      var body: some View { Toggle("on", isOn: $isOn).onAppear { Task { isOn = await service.flag("on") } } }
    }
    struct Random: View {
      let service: Service
      @Default(.random) var isRandom
      @State var pictures: [String] = []
      var body: some View { Text("").onAppear { Task { pictures = await service.pictures(isRandom) } } }
    }
    """.write(toFile: folder + "/Views.swift", atomically: true, encoding: .utf8)
    var options = AuditOptions.uncached(folder)
    options.sourceOnly = true
    let found = try Audit.run(options).findings.filter { $0.rule == "stale_result" }
    #expect(found.map(\.location.line).sorted() == [9, 15])
  }

  /// The functions of a source, by their spelling.
  private func functions(_ text: String) throws -> [String: FunctionFacts] {
    let path = NSTemporaryDirectory() + "/mainstay-read-\(UUID().uuidString).swift"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let files = try SyntaxFrontend().read(SourceModule(name: "A", sources: [path], command: nil, isTest: false))
    return Dictionary(files.flatMap(\.functions).map { ($0.display, $0) }, uniquingKeysWith: { first, _ in first })
  }

  @Test(
    "any text is read without a crash",
    arguments: [
      "", "{", "func f(", "class A { var x = ", "if let { await }", "\u{1}\u{7f}", "for x in { }", "a = b = c",
      "switch x { case", "func f() { defer { return } }", "func f() { defer { defer { return }; return }; return }",
      "func f() { defer { if a { return }; throw b }; return }",
    ])
  func damaged(_ text: String) throws {
    let directory = NSTemporaryDirectory() + "/mainstay-syntax-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try text.write(toFile: directory + "/A.swift", atomically: true, encoding: .utf8)
    let facts = try SyntaxFrontend().read(
      SourceModule(name: "A", sources: [directory + "/A.swift"], command: nil, isTest: false))
    #expect(facts.count == 1)
  }
}
