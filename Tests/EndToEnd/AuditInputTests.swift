import Foundation
import Testing

@Suite("What cannot be audited is said, with the right status", .timeLimit(.minutes(60)))
struct AuditInputTests {
  private static let manifest = """
    // swift-tools-version: 6.2
    import PackageDescription
    let package = Package(name: "App", targets: [.target(name: "App")], swiftLanguageModes: [.v6])
    """

  /// A folder with these files in it.
  private func folder(_ files: [String: String]) throws -> String {
    let folder = try TestFolder.make()
    for (name, text) in files {
      let file = URL(filePath: "\(folder)/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return folder
  }

  private func audit(_ folder: String, _ options: [String] = []) async throws -> Subprocess.Outcome {
    try await Tool.run(["audit", folder] + options)
  }

  @Test("a folder that is missing, and one without sources")
  func nothing() async throws {
    let missing = try await audit("\(try TestFolder.make())/missing")
    #expect(missing.end == .exited(3))
    #expect(missing.errors.contains("there is no directory"))
    let empty = try await audit(try folder(["README": "nothing here\n"]))
    #expect(empty.end == .exited(4))
    #expect(empty.errors.contains("there are no Swift sources to analyse"))
  }

  @Test("sources that are no package are read as they are, and that is said")
  func noPackage() async throws {
    let outcome = try await audit(
      try folder([
        "A.swift": "import Foundation\n@MainActor func f(_ u: URL) { _ = try? Data(contentsOf: u) }\n"
      ]), ["--format", "json"])
    #expect(outcome.end == .exited(2))
    #expect(outcome.errors.contains("this is not a Swift package"))
    #expect(outcome.text.contains(#""source": "syntax""#))
    #expect(outcome.text.contains(#""confidence": "low""#))
  }

  @Test("a terminal that can do nothing but print is sent text, and nothing that steers it") func dumb() async throws {
    let root = try folder(["A.swift": "actor A { var a = 0 }\n"])
    try await Lanes.shared.run {
      for (name, steers) in [("dumb", false), ("xterm", true)] {
        let terminal = try Terminal(
          [Tool.path, "audit", root, "--source-only", "--no-cache"], environment: ["TERM": name], columns: 40)
        #expect(terminal.read { $0.contains("1 module") })
        #expect(terminal.wait() == .exited(0))
        #expect(terminal.text.contains("\u{1B}") == steers, "\(terminal.text.debugDescription)")
      }
    }
  }

  @Test("what cannot be written is said, and nothing else is: a device without room") func full() async throws {
    let root = try folder(["A.swift": "func f() {}\n"])
    let command = "'\(Tool.path)' audit '\(root)' --no-cache"
    for (words, status, message) in [
      ("\(command) > /dev/full", 1, "cannot write to standard output: No space left on device"),
      ("\(command) --output /dev/full", 3, "cannot write '/dev/full': there is no room left"),
      ("'\(Tool.path)' explain tools > /dev/full", 1, "cannot write to standard output"),
    ] {
      let outcome = try await Subprocess(executable: "/bin/sh", arguments: ["-c", words]).run()
      #expect(outcome.end == .exited(Int32(status)) && outcome.errors.contains(message), "\(outcome.errors)")
    }
    let closed = try await Subprocess(executable: "/bin/sh", arguments: ["-c", "\(command) >&-"]).run()
    #expect(closed.end == .exited(0), "\(closed.errors)")
  }

  @Test("what is no package is read once: the second audit says the same, from the user's cache, which may be deleted")
  func kept() async throws {
    let root = try folder([
      "App/A.swift": "import Foundation\n@MainActor func f() { sleep(1) }\n", "App.xcodeproj/project.pbxproj": "",
    ])
    let caches = try TestFolder.make()
    func audit() async throws -> String {
      let outcome = try await Tool.run(["audit", root, "--format", "json"], environment: ["XDG_CACHE_HOME": caches])
      #expect(outcome.end == .exited(2), "\(outcome.errors)")
      return outcome.text
    }
    func kept() throws -> Set<String> { Set(try FileManager.default.subpathsOfDirectory(atPath: caches)) }
    let first = try await audit()
    let entries = try kept()
    #expect(entries.contains { $0.hasSuffix(".findings") } && entries.contains { $0.hasSuffix(".facts") })
    #expect(try await audit() == first)
    #expect(try kept() == entries)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: root).sorted() == [
        "App", "App.xcodeproj", "App.xcodeproj/project.pbxproj", "App/A.swift",
      ])
    try FileManager.default.removeItem(atPath: caches)
    #expect(try await audit() == first)
    try "func g() {}\n".write(toFile: root + "/App/A.swift", atomically: true, encoding: .utf8)
    let clean = try await Tool.run(["audit", root], environment: ["XDG_CACHE_HOME": caches])
    #expect(clean.end == .exited(0), "\(clean.text)")
  }

  @Test("notes and reasons name files as findings do: from the working directory, in documents from the package")
  func places() async throws {
    let root = try folder([
      "Kit/Package.swift": Self.manifest, "Kit/Sources/App/A.swift": "func f() { undefined() }\n",
      "Kit/Sources/App/B.swift": "func broken( {\n",
    ])
    for format in ["text", "json", "xcode"] {
      let outcome = try await Tool.run(["audit", "Kit", "--format", format], folder: root)
      let said = format == "text" ? outcome.text : outcome.errors
      #expect(said.contains("Kit/Sources/App/B.swift:1 does not parse"), "\(format): \(said)")
      #expect(!(outcome.text + outcome.errors).contains(root), "\(format): \(outcome.text)\(outcome.errors)")
      if format == "json" {
        #expect(outcome.text.contains(#""Sources/App/B.swift:1 does not parse"#), "\(outcome.text)")
      }
    }
    let map = try await Tool.run(["map", "Kit", "--source-only"], folder: root)
    #expect(map.errors.contains("Kit/Sources/App/B.swift:1 does not parse"), "\(map.errors)")
  }

  @Test("a pipe and a link that an output goes to stay what they are", arguments: ["pipe", "link"])
  func outputs(kind: String) async throws {
    let folder = try folder(["A.swift": "func f() {}\n", "kept": "before\n"])
    let output = "\(folder)/\(kind)"
    // Open for both ways, so that neither side waits for the other.
    let pipe = kind == "pipe" && mkfifo(output, 0o600) == 0 ? open(output, O_RDWR | O_NONBLOCK) : -1
    defer { if pipe >= 0 { close(pipe) } }
    if kind == "link" {
      try FileManager.default.createSymbolicLink(atPath: output, withDestinationPath: "\(folder)/kept")
    }
    _ = try await audit(folder, ["--format", "json", "--output", output])
    let type = try FileManager.default.attributesOfItem(atPath: output)[.type] as? FileAttributeType
    #expect(type == (kind == "pipe" ? .typeUnknown : .typeSymbolicLink))
    let written =
      kind == "pipe"
      ? FileHandle(fileDescriptor: pipe, closeOnDealloc: false).availableData
      : try Data(contentsOf: URL(filePath: "\(folder)/kept"))
    #expect(String(decoding: written, as: UTF8.self).contains("mainstay.audit/1"))
  }

  @Test("a package that does not compile: read from its source, the compiler's words given, status 4")
  func broken() async throws {
    let outcome = try await audit(
      try folder(["Package.swift": Self.manifest, "Sources/App/A.swift": "func f() { undefined() }\n"]))
    #expect(outcome.end == .exited(4))
    #expect(outcome.errors.contains("undefined") || outcome.text.contains("undefined"))
  }

  @Test("a compiler of another family is not believed: its name is said, and the source is read instead")
  func otherToolchain() async throws {
    let folder = try folder(["App/A.swift": "func f() {}\n"])
    let compiler = "\(folder)/swiftc"
    try await TestFolder.makeExecutable(
      compiler, holding: Data("#!/bin/sh\necho 'Swift version 7.9 (swift-7.9-RELEASE)'\n".utf8))
    let log = "\(folder)/build.log"
    try Data("\(compiler) -module-name App -c \(folder)/App/A.swift\n".utf8).write(to: URL(filePath: log))
    let outcome = try await audit(folder, ["--build-log", log])
    #expect(outcome.end == .exited(4), "\(outcome.text)\(outcome.errors)")
    #expect((outcome.text + outcome.errors).contains("7.9"))
  }

  @Test("a compiler that a build names and that is not there is named, not the one in PATH")
  func missingCompiler() async throws {
    let folder = try folder(["App/A.swift": "func f() {}\n"])
    let log = "\(folder)/build.log"
    try Data("/missing/swiftc -module-name App -c \(folder)/App/A.swift\n".utf8).write(to: URL(filePath: log))
    let outcome = try await audit(folder, ["--build-log", log])
    #expect(outcome.end == .exited(4), "\(outcome.text)\(outcome.errors)")
    #expect(outcome.text.contains("/missing/swiftc") && !outcome.text.contains("in PATH"), "\(outcome.text)")
  }

  @Test("a module that cannot be emitted: said with the compiler's words, status 4, the others stay")
  func noEmission() async throws {
    let folder = try folder(["Good/A.swift": "func f() {}\n", "Bad/B.swift": "func g() -> Int { \"text\" }\n"])
    let log = "\(folder)/build.log"
    let lines = ["Good/A", "Bad/B"].map {
      "swiftc -module-name \($0.prefix { $0 != "/" }) -swift-version 6 -c \(folder)/\($0).swift\n"
    }
    try Data(lines.joined().utf8).write(to: URL(filePath: log))
    let outcome = try await audit(folder, ["--build-log", log, "--format", "json"])
    #expect(outcome.end == .exited(4))
    #expect(outcome.text.contains(#""name": "Good", "source": "sil""#), "\(outcome.text)")
    #expect(outcome.text.contains("cannot convert return expression"))
  }

  @Test("C, plugin, macro and resource targets, a huge file, links in a loop: analysed or passed over, never a crash")
  func everyKind() async throws {
    let functions = (0..<1_500).map { "public func generated\($0)(_ value: Int) -> Int { value &+ \($0) }\n" }
    let folder = try folder([
      "Package.swift": """
      // swift-tools-version: 6.2
      import CompilerPluginSupport
      import PackageDescription
      let package = Package(
        name: "App",
        targets: [
          .target(name: "CApp"),
          .macro(name: "AppMacros"),
          .plugin(name: "AppPlugin", capability: .buildTool()),
          .target(name: "App", dependencies: ["CApp"], resources: [.copy("Resources")], plugins: ["AppPlugin"]),
        ], swiftLanguageModes: [.v6])
      """,
      "Sources/CApp/include/capp.h": "int capp(int value);\n",
      "Sources/CApp/capp.c": "#include \"capp.h\"\nint capp(int value) { return value; }\n",
      "Sources/AppMacros/Main.swift": "@main struct Main { static func main() {} }\n",
      "Plugins/AppPlugin/Plugin.swift": """
      import PackagePlugin
      @main struct AppPlugin: BuildToolPlugin {
        func createBuildCommands(context: PluginContext, target: any Target) -> [Command] { [] }
      }
      """,
      "Sources/App/Resources/text.txt": "text\n",
      "Sources/App/Generated.swift": functions.joined(),
      "Sources/App/A.swift": """
      import CApp
      import Foundation
      @MainActor public func size(_ url: URL) -> Int {
        Int(capp(1)) + ((try? Data(contentsOf: url))?.count ?? 0)
      }
      """,
    ])
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/Sources/App/Resources/loop", withDestinationPath: "\(folder)/Sources")
    let outcome = try await audit(folder, ["--format", "json"])
    #expect(outcome.end == .exited(2), "\(outcome.errors)")
    #expect(outcome.text.contains(#""rule": "main_actor_blocking""#))
    #expect(!outcome.text.contains(#""source": "syntax""#))
  }

  @Test("a broken configuration: its file, line and key, status 3")
  func configuration() async throws {
    let outcome = try await audit(
      try folder(["A.swift": "func f() {}\n", ".mainstay.json": "{\n  \"rules\": {},\n  \"sinkz\": {}\n}"]))
    #expect(outcome.end == .exited(3))
    for word in [".mainstay.json", "3", "sinkz", "sinks"] {
      #expect(outcome.errors.contains(word), "\(outcome.errors)")
    }
  }
}
