import Foundation
import Testing

/// What `mainstay audit` exits with, and what its options leave out: through the built tool, on packages of its own.
@Suite("mainstay audit", .timeLimit(.minutes(60)))
struct AuditCommandTests {
  /// A file with one finding on its second line.
  private static let extra = """
    import Foundation
    @MainActor func settle() { usleep(9_000) }

    """

  private func places(_ package: FixturePackage, _ options: [String]) async throws -> [String] {
    let outcome = try await Tool.run(["audit", package.folder, "--format", "xcode"] + options)
    return outcome.text.split(separator: "\n").filter { $0.contains(": warning: ") }
      .map { $0.split(separator: ":").prefix(2).joined(separator: ":") }
  }

  private func git(_ package: FixturePackage, _ arguments: String...) async throws {
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"]
    let outcome = try await Subprocess(
      executable: "/usr/bin/env", arguments: ["git", "-C", package.folder] + identity + arguments
    ).run()
    try #require(outcome.end == .exited(0), "\(outcome.errors)")
  }

  @Test("exits with 2 when something was found at or above the threshold, and with 0 otherwise")
  func status() async throws {
    let package = try await FixturePackage.named("Joined")
    _ = try await package.audit()
    for (options, status) in [
      ([], 2), (["--fail-on", "note"], 2), (["--fail-on", "error"], 0), (["--rules", "MS304"], 0),
      (["--rules", "main_actor_blocking,MS304"], 2), (["--source-only"], 2),
    ] as [([String], Int32)] {
      let outcome = try await Tool.run(["audit", package.folder] + options)
      #expect(outcome.end == .exited(status), "\(options): \(outcome.errors)")
    }
  }

  @Test("exits with 3 for what it does not understand, and names it")
  func usage() async throws {
    let package = try await FixturePackage.named("Joined")
    let configuration = "\(try TestFolder.make())/broken.json"
    try "{\n  \"failsOn\": \"note\"\n}\n".write(toFile: configuration, atomically: true, encoding: .utf8)
    for (options, message) in [
      (["--format", "yaml"], "'yaml'"), (["--rules", "main_actor_bloking"], "main_actor_blocking"),
      (["--fail-on", "all"], "'all'"), (["--jobs", "0"], "'0'"), (["--colour"], "'--colour'"),
      (["--baseline"], "--baseline"),
      (["--config", configuration], "broken.json:2"),
      (["--baseline", "/missing/baseline.json"], "/missing/baseline.json"),
      (["--baseline", configuration], "is no baseline"),
      (["--baseline", "a", "--expect", "b"], "--expect"), (["--fix", "--source-only"], "--source-only"),
      (["--write-baseline", "a", "--changed-since", "HEAD"], "--changed-since"),
      (["--write-baseline", "a", "--format", "json"], "leave out --format"),
      (["--compare", "a", "b"], "leave out \(package.folder)"), (["--compare", "a", "b", "--fix"], "leave out --fix"),
      (["--compare", "a"], "two files that --write-facts wrote"), (["--compare", "a", "--output", "b"], "two files"),
      (["--no-build=yes"], "--no-build takes no value, not 'yes'"),
      (["--output", "--no-build"], "--output needs a value"),
      (["--config", package.folder], "is a folder"),
      (["--build-log", "/missing/log"], "/missing/log"),
      (["--changed-since", "nowhere"], "is in no git repository"), (["elsewhere"], "one path at a time"),
    ] {
      let outcome = try await Tool.run(["audit", package.folder] + options)
      #expect(outcome.end == .exited(3), "\(options): \(outcome.errors)")
      #expect(outcome.text == "" && outcome.errors.contains(message), "\(options): \(outcome.errors)")
    }
    for option in ["--output", "--write-baseline", "--write-facts"] {
      // Before anything is read: a package that cannot be is not even looked at.
      let nowhere = try await Tool.run(["audit", "/missing", option, "/missing/file"])
      #expect(
        nowhere.end == .exited(3) && nowhere.errors.contains("there is no folder '/missing/'"), "\(nowhere.errors)")
      let folder = try await Tool.run(["audit", "/missing", option, package.folder])
      #expect(folder.end == .exited(3) && folder.errors.contains("it is a folder"), "\(folder.errors)")
    }
    for (name, message) in [("-", "there is no directory '-'"), ("--colour", "there is no directory '--colour'")] {
      let outcome = try await Tool.run(["audit", "--source-only", "--", name])
      #expect(outcome.end == .exited(3) && outcome.errors.contains(message), "\(outcome.errors)")
    }
    for arguments in [
      ["audit", package.folder, "--help"], ["map", "--source-only", "-h"], ["contract", "list", "--help"],
    ] {
      let help = try await Tool.run(arguments)
      #expect(help.end == .exited(0) && help.text.hasPrefix("USAGE: mainstay \(arguments[0])"), "\(help.errors)")
    }
    let missing = try await Tool.run(["audit", "/missing"])
    #expect(missing.end == .exited(3) && missing.errors.contains("'/missing'"))
  }

  @Test("exits with 4 when something was not analysed, whatever was found, and says what and why")
  func notAnalysed() async throws {
    let package = try FixturePackage.copy("Joined")
    let broken = "\(package.folder)/Sources/Joined/Broken.swift"
    try "let count: Int = \"three\"\n".write(toFile: broken, atomically: true, encoding: .utf8)
    let outcome = try await Tool.run(["audit", package.folder, "--format", "json"])
    #expect(outcome.end == .exited(4), "\(outcome.errors)")
    #expect(
      outcome.errors.contains("Joined was read from its source only") && outcome.errors.contains("the build failed"))
    let empty = try await Tool.run(["audit", try TestFolder.make()])
    #expect(empty.end == .exited(4) && empty.errors.contains("no Swift sources"), "\(empty.errors)")
  }

  @Test("--no-build reads the last build as it is, and says when there was none")
  func noBuild() async throws {
    let package = try FixturePackage.copy("Joined")
    let unbuilt = try await Tool.run(["audit", package.folder, "--no-build"])
    #expect(unbuilt.end == .exited(4), "\(unbuilt.errors)")
    #expect(unbuilt.text.contains("Joined was read from its source only"), "\(unbuilt.text)")
    #expect(!FileManager.default.fileExists(atPath: "\(package.folder)/.build/debug.yaml"), "nothing was built")
    _ = try await package.program(.debug)
    let built = try await Tool.run(["audit", package.folder, "--no-build"])
    #expect(built.end == .exited(2) && built.text.contains("3 warnings in 1 module"), "\(built.text)")
  }

  @Test("--build-log finds the same with nothing but the command lines of a verbose build")
  func buildLog() async throws {
    let package = try FixturePackage.copy("Joined")
    let build = try await Subprocess(
      executable: "/usr/bin/env", arguments: ["swift", "build", "--disable-sandbox", "-v"], folder: package.folder
    ).run()
    try #require(build.end == .exited(0), "\(build.errors)")
    let log = "\(try TestFolder.make())/build.log"
    try (build.text + build.errors).write(toFile: log, atomically: true, encoding: .utf8)
    try FileManager.default.removeItem(atPath: "\(package.folder)/.build/debug.yaml")
    let found = try await places(package, ["--build-log", log])
    #expect(
      found
        == (try ["planted: 2 ms", "planted: never run", "sink: 80 ms"].map {
          "Sources/Joined/Joined.swift:\(try package.line($0))"
        }))
    let empty = "\(try TestFolder.make())/empty.log"
    try "Build complete!\n".write(toFile: empty, atomically: true, encoding: .utf8)
    let outcome = try await Tool.run(["audit", package.folder, "--build-log", empty])
    #expect(outcome.end == .exited(4) && outcome.errors.contains("no compiler command lines"), "\(outcome.errors)")
  }

  @Test(
    "a place is named from the working directory where the package lies below it, and --scratch-path is meant from there"
  )
  func fromAbove() async throws {
    let package = try FixturePackage.copy("Joined")
    _ = try await package.program(.debug)
    let above = String(package.folder.dropLast("/Joined".count))
    for options in [["--scratch-path", "Joined/.build", "--no-build"], ["--source-only"]] {
      for (format, start) in [
        ("text", "Joined/Sources/Joined/Joined.swift"), ("xcode", "Joined/Sources/Joined/Joined.swift:"),
        ("github", "::warning file=Joined/Sources/Joined/Joined.swift,"),
        ("markdown", "| `Joined/Sources/Joined/Joined.swift:"),
        ("sarif", "\"uri\": \"Joined/Sources/Joined/Joined.swift\""),
        ("checkstyle", "<file name=\"Joined/Sources/Joined/Joined.swift\">"),
        ("json", "\"file\": \"Sources/Joined/Joined.swift\""),
      ] {
        let outcome = try await Tool.run(["audit", "Joined", "--format", format] + options, folder: above)
        #expect(outcome.end == .exited(2), "\(outcome.errors)")
        #expect(outcome.text.contains(start), "\(format): \(outcome.text)")
        #expect(options.contains("--source-only") || !outcome.errors.contains("source only"), "\(outcome.errors)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: "\(package.folder)/Joined"), "nothing is built below the package")
  }

  @Test("--changed-since says what keeps git from knowing: no repository, no such revision, a shallow copy, no git")
  func unknownChanges() async throws {
    let package = try FixturePackage.copy("Joined")
    func message(_ folder: String, _ revision: String, path: String? = nil) async throws -> String {
      let outcome = try await Tool.run(
        ["audit", folder, "--source-only", "--changed-since", revision], environment: path.map { ["PATH": $0] } ?? [:])
      #expect(outcome.end == .exited(3) && outcome.text == "", "\(outcome.text)")
      return outcome.errors
    }
    #expect(try await message(package.folder, "HEAD").contains("is in no git repository"))
    try await git(package, "init", "--quiet", "--initial-branch", "main")
    #expect(try await message(package.folder, "HEAD").contains("there is no revision 'HEAD'"))
    for number in 1...2 {
      try "// \(number)\n".write(toFile: "\(package.folder)/note.txt", atomically: true, encoding: .utf8)
      try await git(package, "add", ".")
      try await git(package, "commit", "--quiet", "--message", "\(number)")
    }
    for revision in ["nowhere", "-x", "", "HEAD~2"] {
      let said = try await message(package.folder, revision)
      #expect(said.contains("there is no revision '\(revision)'") && !said.contains("shallow"), "\(said)")
    }
    let shallow = "\(try TestFolder.make())/shallow"
    try await git(package, "clone", "--quiet", "--depth", "1", "file://\(package.folder)", shallow)
    #expect(try await message(shallow, "HEAD~1").contains("git fetch --unshallow"))
    #expect(try await message(package.folder, "HEAD", path: try TestFolder.make()).contains("there is none in PATH"))
  }

  @Test("--changed-since finds files whose names are no ASCII or hold spaces")
  func changedNames() async throws {
    let package = try FixturePackage.copy("Joined")
    let names = ["M\u{f6}del \u{6f22}.swift", "Two words.swift"]
    try await git(package, "init", "--quiet", "--initial-branch", "main")
    try await git(package, "add", ".")
    try await git(package, "commit", "--quiet", "--message", "All")
    for name in names {
      try Self.extra.replacing("settle", with: "settle\(name.count)")
        .write(toFile: "\(package.folder)/Sources/Joined/\(name)", atomically: true, encoding: .utf8)
    }
    let expected = names.map { "Sources/Joined/\($0):2" }
    #expect(try await places(package, ["--source-only", "--changed-since", "HEAD"]) == expected)
    try await git(package, "add", ".")
    try await git(package, "commit", "--quiet", "--message", "Names")
    #expect(try await places(package, ["--source-only", "--changed-since", "HEAD~1"]) == expected)
  }

  @Test("--changed-since keeps what touches files that changed, committed or not, or are new")
  func changedSince() async throws {
    let package = try FixturePackage.copy("Joined")
    try ".build\n".write(toFile: "\(package.folder)/.gitignore", atomically: true, encoding: .utf8)
    try await git(package, "init", "--quiet", "--initial-branch=main")
    try await git(package, "add", "--all")
    try await git(package, "commit", "--quiet", "--message", "the package")
    #expect(try await places(package, ["--changed-since", "HEAD"]) == [])
    let outcome = try await Tool.run(["audit", package.folder, "--changed-since", "HEAD"])
    #expect(outcome.end == .exited(0), "nothing that changed has a finding")
    let file = "\(package.folder)/Sources/Joined/Extra.swift"
    try Self.extra.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try await places(package, ["--changed-since", "HEAD"]) == ["Sources/Joined/Extra.swift:2"])
    try await git(package, "add", "--all")
    try await git(package, "commit", "--quiet", "--message", "one more")
    #expect(try await places(package, ["--changed-since", "HEAD"]) == [])
    #expect(try await places(package, ["--changed-since", "HEAD~1"]) == ["Sources/Joined/Extra.swift:2"])
  }

  @Test("a baseline hides what it holds, also after lines have moved, and shows what is new")
  func baseline() async throws {
    let package = try FixturePackage.copy("Joined")
    let baseline = "\(try TestFolder.make())/baseline.json"
    let written = try await Tool.run(["audit", package.folder, "--write-baseline", baseline])
    #expect(written.end == .exited(0) && written.errors.contains("3 findings accepted"), "\(written.errors)")
    let known = try await Tool.run(["audit", package.folder, "--baseline", baseline])
    #expect(known.end == .exited(0) && known.text.contains("3 known from the baseline"), "\(known.text)")
    let source = "\(package.folder)/Sources/Joined/Joined.swift"
    let text = try String(contentsOfFile: source, encoding: .utf8)
    try ("// moved\n// moved\n" + text).write(toFile: source, atomically: true, encoding: .utf8)
    let file = "\(package.folder)/Sources/Joined/Extra.swift"
    try Self.extra.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try await places(package, ["--baseline", baseline]) == ["Sources/Joined/Extra.swift:2"])
  }

  @Test("a file of expected findings is exact: what is gone is reported at its line, and a baseline only says so")
  func expected() async throws {
    let package = try FixturePackage.copy("Joined")
    let file = "\(try TestFolder.make())/expected.json"
    #expect(try await Tool.run(["audit", package.folder, "--write-baseline", file]).end == .exited(0))
    #expect(try await Tool.run(["audit", package.folder, "--expect", file]).end == .exited(0))
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let more = text.replacing(
      "[\n",
      with:
        "[\n    {\"rule\": \"hop_in_loop\", \"file\": \"A.swift\", \"function\": \"f()\", \"fingerprint\": \"0\"},\n")
    try more.write(toFile: file, atomically: true, encoding: .utf8)
    let gone = try await Tool.run(["audit", package.folder, "--expect", file, "--format", "xcode"])
    #expect(gone.end == .exited(2), "\(gone.errors)")
    #expect(
      gone.text
        == "\(file):4:1: warning: hop_in_loop is expected of f() in A.swift, and was not found (expected_finding)\n")
    let lenient = try await Tool.run(["audit", package.folder, "--baseline", file])
    #expect(lenient.end == .exited(0) && lenient.text.contains("is gone"), "\(lenient.text)")
    // Accepting anew keeps what an older file holds, and loses what is gone.
    #expect(
      try await Tool.run(["audit", package.folder, "--expect", file, "--write-baseline", file]).end == .exited(0))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }

  @Test(
    "a file that cannot be written is named, with what stands in the way", arguments: ["--output", "--write-facts"])
  func unwritable(_ option: String) async throws {
    let package = try await FixturePackage.named("Joined")
    _ = try await package.audit()
    let folder = try TestFolder.make()
    for (file, problem) in [("\(folder)/none/x", "there is no folder"), (folder, "is a folder")] {
      let outcome = try await Tool.run(["audit", package.folder, option, file])
      #expect(outcome.end == .exited(3), "\(outcome.errors)")
      #expect(outcome.errors.contains(file) && outcome.errors.contains(problem), "\(outcome.errors)")
    }
  }
}
