import Foundation
import MainstayTrace
import Testing

@Suite("Programs whose runtime is not the usual library", .timeLimit(.minutes(60)))
struct LinkingTests {
  @Test("a statically linked runtime with its symbols is recorded; what cannot be seen is said")
  func withStaticRuntime() async throws {
    let run = try await FixtureProgram.named("RoundTrips", .withStaticRuntime).recorded(["300"])
    #expect(run.outcome.end == .exited(0))
    #expect(run.outcome.text == "300\n")
    #expect(run.summary.mainActor.jobs == 301)
    #expect(try run.executor("Counter").jobs == 300)
    #expect(!run.summary.selfCheck.complete)
    #expect(!run.summary.selfCheck.missing.isEmpty)
    #expect(run.outcome.errors.contains("Not seen"))
  }

  @Test("a statically linked and stripped runtime is declined clearly, and the program runs on")
  func withStrippedStaticRuntime() async throws {
    let program = try await FixtureProgram.named("RoundTrips", .withStrippedStaticRuntime)
    let outcome = try await Tool.run(["run", "--", program.path, "300"])
    #expect(outcome.end == .exited(0))
    #expect(outcome.text == "300\n")
    #expect(outcome.errors.contains("its Swift runtime is linked statically and stripped"))
    #expect(outcome.errors.contains("Running it unrecorded"))
    #expect(outcome.errors.contains("-static-stdlib"))
    let failing = try await Tool.run(["run", "--fail-over-budget", "--", program.path, "300"])
    #expect(failing.end == .exited(4))
  }

  @Test("a program under ThreadSanitizer is declined clearly, and runs on")
  func withThreadSanitizer() async throws {
    let program = try await FixtureProgram.named("RoundTrips", .withThreadSanitizer)
    let plain = try await program.run(["300"])
    try #require(plain.end == .exited(0), "the sanitizer does not work here at all: \(plain.errors)")
    let outcome = try await Tool.run(["run", "--", program.path, "300"])
    #expect(outcome.end == .exited(0), "\(outcome.errors)")
    #expect(outcome.text == plain.text)
    #expect(outcome.errors.contains("ThreadSanitizer"))
    #expect(!outcome.errors.contains("WARNING: ThreadSanitizer"))
    let failing = try await Tool.run(["run", "--fail-over-budget", "--", program.path, "300"])
    #expect(failing.end == .exited(4))
  }

  @Test("a library that is preloaded already stays first, and both work")
  func alreadyPreloading() async throws {
    let folder = try TestFolder.make()
    let source = """
      #include <unistd.h>
      #include <stdlib.h>
      #include <string.h>
      __attribute__((constructor)) static void loaded(void) {
        const char *preload = getenv("LD_PRELOAD");
        const char *text = preload && strncmp(preload, OTHER, strlen(OTHER)) == 0 ? "other library first\\n" : "other library\\n";
        if (write(1, text, strlen(text)) < 0) _exit(9);
      }
      """
    try source.write(toFile: "\(folder)/other.c", atomically: true, encoding: .utf8)
    let library = "\(folder)/libother.so"
    let compiled = try await Subprocess(
      executable: "/usr/bin/env",
      arguments: [
        "clang", "-shared", "-fPIC", "-DOTHER=\"\(library)\"", "\(folder)/other.c", "-o", library,
      ]
    ).run()
    try #require(compiled.end == .exited(0), "\(compiled.errors)")
    let program = try await FixtureProgram.named("RoundTrips", .release)
    // The tool itself loads the library too, as every program does.
    let run = try await program.recorded(["300"], environment: ["LD_PRELOAD": library])
    #expect(run.outcome.text.hasSuffix("other library first\n300\n"))
    #expect(run.summary.mainActor.jobs == 301)
    #expect(try run.executor("Counter").jobs == 300)
  }

  @Test("the tool may lie in a folder with spaces and colons in its path, which the loader could not be given")
  func toolFolder() async throws {
    let folder = "\(try TestFolder.make())/my tools: new"
    let built = URL(filePath: Tool.path).deletingLastPathComponent().path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for file in ["mainstay", "Mainstay_mainstay-cli.resources"] {
      try await TestFolder.copyExecutable("\(built)/\(file)", to: "\(folder)/\(file)")
    }
    let program = try await FixtureProgram.named("RoundTrips", .release)
    let json = "\(folder)/run.json"
    // Every process of the tree would complain of it.
    let outcome = try await Subprocess(
      executable: "\(folder)/mainstay",
      arguments: ["run", "--quiet", "--", "/bin/sh", "-c", "\(program.path) 300; exit 5"]
    ).run()
    #expect(outcome.end == .exited(5) && outcome.text == "300\n")
    #expect(!outcome.errors.contains("ld.so"), "\(outcome.errors)")

    let recorded = try await Subprocess(
      executable: "\(folder)/mainstay", arguments: ["run", "--json", json, "--", program.path, "300"]
    ).run()
    #expect(recorded.end == .exited(0) && recorded.text == "300\n")
    let data = try #require(FileManager.default.contents(atPath: json), "\(recorded.errors)")
    #expect(try JSONDecoder().decode(RunSummary.self, from: data).mainActor.jobs == 301)

    // Where no link of another name can be made, that is said before the program runs.
    let refused = try await Subprocess(
      executable: "\(folder)/mainstay", arguments: ["run", "--", program.path, "300"], environment: ["TMPDIR": folder]
    ).run()
    #expect(refused.end == .exited(4) && refused.text == "")
    #expect(refused.errors.contains("Set TMPDIR"), "\(refused.errors)")
    let doctor = try await Subprocess(executable: "\(folder)/mainstay", arguments: ["doctor"]).run()
    #expect(doctor.end == .exited(0) && doctor.text.contains("Programs can be recorded here"), "\(doctor.text)")
  }

  @Test("what is preloaded needs nothing but libc")
  func libraryNeeds() async throws {
    let folder = URL(filePath: Tool.path).deletingLastPathComponent().path
    let library = "\(folder)/Mainstay_mainstay-cli.resources/libmainstay-recorder.so"
    try #require(FileManager.default.fileExists(atPath: library))
    let outcome = try await Subprocess(executable: "/usr/bin/env", arguments: ["readelf", "-d", library]).run()
    try #require(outcome.end == .exited(0), "\(outcome.errors)")
    let needed = outcome.text.split(separator: "\n").filter { $0.contains("(NEEDED)") }
    #expect(needed.count == 1 && needed.allSatisfy { $0.contains("[libc.so.6]") }, "\(needed)")
  }
}
