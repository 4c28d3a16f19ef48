/// Contracts: digests that change with a declaration and with nothing else, and comments that pin them.
import Foundation
import Testing

@testable import MainstayAudit

@Suite struct ContractTests {
  private func package(_ files: [String: String], _ body: (String) throws -> Void) throws {
    let directory = NSTemporaryDirectory() + "/mainstay-contracts-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for (name, text) in files {
      let path = directory + "/" + name
      try FileManager.default.createDirectory(
        atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    try body(directory)
  }

  private func digest(_ name: String, _ text: String, _ symbol: String) throws -> String? {
    var result: String?
    try package([name: text]) { root in
      let state = ContractTarget(file: name, symbol: symbol).state(root: root, beside: root + "/A.swift")
      if case .digest(let digest) = state { result = digest }
    }
    return result
  }

  @Test(
    "comments, spaces and line ends change no digest; a token does",
    arguments: [
      (
        "A.swift", "Feed.observe(_:)", "struct Feed { func observe(_ f: () -> Void) { f() } }",
        "/// Doc.\nstruct Feed {\n  // why\n  func observe(\n    _ f: () -> Void\n  ) { f() /* now */ }\n}\n",
        "struct Feed { func observe(_ f: () -> Void) { f(); f() } }"
      ),
      (
        "A.kt", "Feed.observe",
        "class Feed(val s: S) {\n  fun observe(f: (Int) -> Unit): Job = scope.launch { f(1) }\n}\n",
        "/** Doc. */\nclass Feed(val s: S) {\n\n  fun observe(\n    f: (Int) -> Unit\n  ): Job =\n    scope.launch { f(1) } // now\n}\n",
        "class Feed(val s: S) {\n  fun observe(f: (Int) -> Unit): Job = other.launch { f(1) }\n}\n"
      ),
      (
        "a.h", "feed_listen", "int feed_listen(struct feed *feed, void *context);\n",
        "/* Doc. */\nint\nfeed_listen(struct feed *feed, // which\n            void *context);\n",
        "int feed_listen(struct feed *feed, const void *context);\n"
      ),
    ])
  func tokens(_ file: String, _ symbol: String, _ plain: String, _ spaced: String, _ changed: String) throws {
    let before = try #require(try digest(file, plain, symbol))
    #expect(try digest(file, spaced, symbol) == before)
    #expect(try #require(try digest(file, changed, symbol)) != before)
  }

  @Test("a neighbour's change changes no digest, in any language")
  func neighbours() throws {
    let kotlin = "class Feed {\n  val a = 1\n  val state: Flow<Int>\n    get() = source\n  fun b() { VALUE }\n}\n"
    let changed = kotlin.replacingOccurrences(of: "VALUE", with: "call(\"}\")")
    #expect(try digest("A.kt", kotlin, "Feed.state") == digest("A.kt", changed, "Feed.state"))
    #expect(try digest("A.kt", kotlin, "Feed.state") != nil)
    #expect(try digest("A.kt", kotlin, "Feed.b") != digest("A.kt", changed, "Feed.b"))
    let c = "#define LIMIT 3\nstruct a { int b; };\nint first(void) { return 1; }\nint second(void) { return 2; }\n"
    #expect(
      try digest("a.c", c, "second")
        == digest("a.c", c.replacingOccurrences(of: "return 1", with: "return 9"), "second"))
    #expect(try digest("a.c", c, "LIMIT") != nil)
    #expect(try digest("a.c", c, "a") != nil)
  }

  @Test("a changed, a missing and an unpinned contract are told apart, and pinning makes them hold")
  func standing() throws {
    try package([
      "A.swift": """
      // mainstay:contract b.h#listen
      // mainstay:contract b.h#lisen 00000000
      // mainstay:contract c.h#listen 00000000
      // mainstay:contract notes.txt#x 00000000
      func f() {}
      """,
      "b.h": "int listen(void);\n", "notes.txt": "",
    ]) { root in
      let contracts = try Contracts.list(in: root)
      #expect(
        contracts.map(\.standing) == [
          .unpinned, .broken("'b.h' declares no 'lisen'; did you mean 'listen'?"), .broken("there is no file 'c.h'"),
          .broken("'notes.txt' is neither Swift, Kotlin nor C"),
        ])
      #expect(try Contracts.pin(contracts).count == 1)
      #expect(try Contracts.list(in: root)[0].standing == .holds)
      try "int listen(int fd);\n".write(toFile: root + "/b.h", atomically: true, encoding: .utf8)
      #expect(try Contracts.list(in: root)[0].standing == .changed)
      try Contracts.pin(try Contracts.list(in: root))
      #expect(try Contracts.list(in: root)[0].standing == .holds)
    }
  }

  @Test(
    "any text is lexed without a crash",
    arguments: ["", "\"", "/*", "'", "fun", "fun (", "}}}{{{", "#", "\\", "class `a", "<<<"])
  func damaged(_ text: String) {
    _ = KotlinDeclarations.read(text)
    _ = CDeclarations.read(text)
  }
}
