/// Contracts: digests that change with a declaration and with nothing else, and comments that pin them.
import Foundation
import MainstayFindings
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

  @Test(
    "declarations are found in whatever layout people write",
    arguments: [
      (
        "A.kt",
        """
        @file:JvmName("Feed")
        package a.b
        import kotlinx.coroutines.flow.*
        sealed interface State { data object Idle : State; data class Loaded(val items: List<String>) : State }
        internal abstract class Feed<T : Any>(
          private val scope: Map<String, List<Int>>,
          @Named("x, (y") val name: String = "{",
          count: Int,
        ) : Base(val1), Closeable where T : Comparable<T> {
          val state: Flow<State>
            get() = source
          companion object { const val LIMIT = 10 }
          inline fun <reified R> observe(
            crossinline f: (R) -> Unit,
          ): Job where R : Any =
            scope.launch { f(1) }
          inner class Handle { fun cancel() { count-- } }
          constructor(a: Int) : this(TODO())
        }
        fun State.describe(): String = "x"
        fun <A, B> Map<A, List<B>>.flat(): List<B> = values
        typealias Callback = (State) -> Unit
        enum class Dispatcher(val id: Int) { @Deprecated("a, b") MAIN(0), INLINE(1) { override fun x() = 2 }, WORKER(2); open fun x() = 1 }
        enum class Bare { ONE, TWO, }
        object Registry { val all = listOf<String>() }
        """,
        [
          "State", "State.Idle", "Loaded.items", "Feed", "Feed.scope", "Feed.name", "Feed.state",
          "Feed.Companion.LIMIT",
          "Feed.observe", "Feed.Handle.cancel", "Feed.constructor", "describe", "State.describe", "Map.flat",
          "Callback", "Dispatcher.id", "Dispatcher.MAIN", "Dispatcher.INLINE", "Dispatcher.WORKER", "Dispatcher.x",
          "Bare.ONE", "Bare.TWO", "Registry.all",
        ], ["Feed.count", "val1", "Dispatcher.Deprecated", "source"]
      ),
      (
        "a.h",
        """
        #define CALL(x) \\
          do { x; } while (0)
        #ifdef __cplusplus
        extern "C" {
        #endif
        typedef struct feed feed_t;
        typedef void (*feed_callback)(void *context, int state);
        typedef enum { IDLE, LOADED = 2, FAILED } feed_state;
        struct feed_options { int rate; feed_callback callback; };
        __attribute__((visibility("default"))) int
        feed_subscribe(feed_t *feed,
                       feed_callback callback) __attribute__((nonnull(1)));
        static inline int twice(int x) { return x * 2; }
        extern const char *const names[3];
        void (*handler(int which))(int);
        int first, second;
        enum dispatch { MAIN, WORKER };
        #ifdef __cplusplus
        }
        #endif
        """,
        [
          "CALL", "feed_t", "feed_callback", "feed_state", "IDLE", "LOADED", "FAILED", "feed_options",
          "feed_subscribe", "twice", "names", "handler", "first", "second", "dispatch", "MAIN", "WORKER",
        ], ["rate", "x", "which", "nonnull", "const"]
      ),
      (
        "A.swift",
        """
        public protocol Feed<Element>: AnyObject where Element: Sendable {
          associatedtype Element
          func observe<T>(_ f: @escaping (T) -> Void, on queue: Int) async throws -> T
        }
        extension Feed where Element == Int { func go() {}; static func == (a: Self, b: Self) -> Bool { true } }
        enum State: Int { case idle, loaded
          #if DEBUG
          func debug() {}
          #endif
          struct Inner { subscript(i: Int, name n: String) -> Int { i }; init?(_ x: Int) { nil } } }
        actor Box<T> { private(set) var value: T; init(value: T) { self.value = value }; deinit { print("x") } }
        let (a, b) = (1, 2)
        func +++ (l: Int, r: Int) -> Int { l }
        """,
        [
          "Feed", "Feed.Element", "Feed.observe(_:on:)", "observe", "Feed.go", "Feed.==", "State.idle", "State.loaded",
          "State.debug()", "State.Inner.subscript(_:name:)", "Inner.init(_:)", "Box.value", "Box.init(value:)",
          "Box.deinit", "a", "b", "+++",
        ], ["State.Int", "x", "observe(_:)"]
      ),
    ])
  func layouts(_ file: String, _ text: String, _ symbols: [String], _ none: [String]) throws {
    for text in [text, text.replacingOccurrences(of: "\n", with: "\r\n")] {
      var digests: Set<String> = []
      for symbol in symbols { digests.insert(try #require(try digest(file, text, symbol), "\(symbol)")) }
      for symbol in none { #expect(try digest(file, text, symbol) == nil, "\(symbol)") }
      #expect(digests.count > symbols.count - 4, "different declarations, different digests")
    }
    let unix = try symbols.map { try digest(file, text, $0) }
    let windows = try symbols.map { try digest(file, text.replacingOccurrences(of: "\n", with: "\r\n"), $0) }
    #expect(unix == windows)
  }

  @Test("a constant of an enumeration changes with its value, not with its neighbours' names") func constants() throws {
    let text = "enum e { A, B = 4, C, D };\n"
    let renamed = text.replacingOccurrences(of: "D", with: "E")
    #expect(try digest("a.h", text, "C") == digest("a.h", renamed, "C"))
    #expect(try digest("a.h", text, "C") != digest("a.h", "enum e { A, B = 5, C, D };\n", "C"))
    #expect(try digest("a.h", text, "C") != digest("a.h", "enum e { A, B = 4, X, C, D };\n", "C"))
  }

  @Test("a comment that names nothing is reported; one behind code counts; text in a string is none")
  func comments() throws {
    try package([
      "A.swift":
        "// mainstay:contract\r\nfunc f() {}  // mainstay:contract b.h#listen  and why\r\n"
        + "let a = \"\"\"\r\n// mainstay:contract c.h#x\r\n\"\"\"\r\n// mainstay:contract b.h\r\n",
      "b.h": "int listen(void);\r\n",
    ]) { root in
      let contracts = try Contracts.list(in: root)
      let incomplete = Contract.Standing.broken("it names no declaration: write mainstay:contract <file>#<symbol>")
      #expect(contracts.map(\.standing) == [incomplete, .unpinned, incomplete])
      #expect(try Contracts.pin(contracts).count == 1)
      #expect(try Contracts.list(in: root)[1].standing == .holds)
      let lines = SourceLines.split(try String(contentsOfFile: root + "/A.swift", encoding: .utf8))
      let digest = try #require(contracts[1].current)
      #expect(lines[1].hasSuffix(" \(digest)  and why\r"))
    }
  }

  @Test("a contract between /* and */ is one, on each of its lines, and is pinned where it stands") func blocks() throws
  {
    try package([
      "A.swift":
        "/* mainstay:contract b.h#listen */ func f() {} /*mainstay:contract b.h#hear*/  // not b.h#listen\n"
        + "/**\n * Called on the main thread:\n * mainstay:contract b.h#listen\n   mainstay:contract b.h#hear **/\n"
        + "/*\n// mainstay:contract c.h#left\n/* mainstay:contract c.h#out */\n*/\n",
      "b.h": "int listen(void);\nint hear(void);\n",
    ]) { root in
      let contracts = try Contracts.list(in: root)
      #expect(contracts.map(\.location.line) == [1, 1, 4, 5] && contracts.map(\.location.column) == [1, 48, 2, 4])
      #expect(contracts.map(\.target.symbol) == ["listen", "hear", "listen", "hear"])
      try #require(contracts.allSatisfy { $0.standing == .unpinned })
      #expect(try Contracts.pin(contracts).count == 4)
      #expect(try Contracts.list(in: root).allSatisfy { $0.standing == .holds })
      let lines = SourceLines.split(try String(contentsOfFile: root + "/A.swift", encoding: .utf8))
      let (listen, hear) = (try #require(contracts[0].current), try #require(contracts[1].current))
      #expect(
        lines[0]
          == "/* mainstay:contract b.h#listen \(listen) */ func f() {} /*mainstay:contract b.h#hear \(hear)*/"
          + "  // not b.h#listen")
      #expect(lines[4] == "   mainstay:contract b.h#hear \(hear) **/")
    }
  }

  @Test("a package inside another names files from its own directory") func nested() throws {
    try package([
      "Inner/Package.swift": "", "Inner/b.h": "int listen(void);\n",
      "Inner/Sources/A/A.swift": "// mainstay:contract b.h#listen\n",
    ]) { root in
      let standings = try Contracts.list(in: root).map(\.standing)
      #expect(standings == [.unpinned])
    }
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
          .unpinned, .broken("'b.h' declares no 'lisen'; did you mean 'listen'?"),
          .broken(
            "there is no file 'c.h' in the package's directory or beside this one; "
              + "where it was moved, write where it is now"),
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

  @Test("a digest that was damaged pins nothing that is there, and words behind a contract are no digest")
  func damagedDigests() throws {
    let length = 16
    let others = ["0123456789abcdeg", "0123456789", "0123", "because it listens", "add", "x1", ""]
    try package([
      "A.swift": others.map { "// mainstay:contract b.h#listen \($0)\n" }.joined(), "b.h": "int listen(void);\n",
    ]) { root in
      let contracts = try Contracts.list(in: root)
      #expect(contracts.map { $0.pinned != nil } == [true, true, true, false, false, false, false])
      #expect(contracts.map(\.standing) == contracts.map { $0.pinned == nil ? .unpinned : .changed })
      try Contracts.pin(contracts)
      let current = try #require(contracts[0].current)
      #expect(current.count == length)
      let expected = ["", "", "", " because it listens", " add", " x1", " "]
      #expect(
        try String(contentsOfFile: root + "/A.swift", encoding: .utf8)
          == expected.map { "// mainstay:contract b.h#listen \(current)\($0)\n" }.joined())
    }
  }

  @Test("a file that is not all UTF-8 is not written into, and says so") func bytes() throws {
    try package(["A.swift": "", "b.h": "int listen(void);\n"]) { root in
      let data = Data("// mainstay:contract b.h#listen\n// caf".utf8) + Data([0xe9, 0x0a])
      try data.write(to: URL(fileURLWithPath: root + "/A.swift"))
      let contracts = try Contracts.list(in: root)
      #expect(contracts.map(\.standing) == [.unpinned])
      #expect(throws: AuditFailure.self) { try Contracts.pin(contracts) }
      #expect(FileManager.default.contents(atPath: root + "/A.swift") == data)
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
