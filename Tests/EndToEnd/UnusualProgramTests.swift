import Foundation
import MainstayTrace
import Testing

@Suite("Programs that do what recorders trip over are not harmed, and not blamed", .timeLimit(.minutes(60)))
struct UnusualProgramTests {
  static let usual = FixtureProgram.Build.usual

  @Test("one that blocks SIGPROF is never sent it: its stall has no stack, and the summary says why", arguments: usual)
  func blocks(build: FixtureProgram.Build) async throws {
    let run = try await recorded(["blocks"], build, prints: "blocked true\n") { $0.summary.lost.samples > 0 }
    try expectOneStallWithoutStack(run)
    #expect(run.summary.lost.samples > 0)
    #expect(run.outcome.errors.contains("blocks or handles SIGPROF itself"), "\(run.outcome.errors)")
  }

  @Test("one that changes its signal mask has the mask that it set")
  func masks() async throws { _ = try await recorded(["masks"], .release, prints: "masks kept\n") }

  @Test("one that profiles itself with SIGPROF gets its timer's signals and no other", arguments: usual)
  func handles(build: FixtureProgram.Build) async throws {
    let run = try await recorded(["handles"], build, prints: "profiled true, foreign 0\n") {
      $0.summary.lost.samples > 0
    }
    try expectOneStallWithoutStack(run)
    #expect(run.outcome.errors.contains("blocks or handles SIGPROF itself"), "\(run.outcome.errors)")
  }

  @Test("one whose handler calls the one that it replaced, which is the recorder's")
  func chains() async throws { _ = try await recorded(["chains"], .release, prints: "profiled true\n") }

  @Test("one that stalls in a signal's handler on a stack of its own: both stacks are walked", arguments: usual)
  func alternate(build: FixtureProgram.Build) async throws {
    let handler = Set(["raise", "pthread_kill"])
    func isHandled(_ stack: [String]) -> Bool { stack.contains { handler.contains($0) || $0.hasPrefix("closure") } }
    func stacks(_ run: Tool.Run) -> [[String]] {
      run.samples(of: "compute(milliseconds:)").filter { $0.state == .running }.map { $0.frames.map(\.function) }
    }
    let run = try await recorded(["alternate"], build, prints: "back on the usual stack\n") {
      stacks($0).contains(where: isHandled)
    }
    let stall = try #require(run.summary.stalls.first, "\(run.outcome.errors)")
    #expect(stall.lengthMilliseconds >= 160 || run.stoodStill)
    // In the handler and after it: both lead to the function that raised the signal. A sample at the first instruction of what
    // compute() calls finds its caller's caller alone, and is not among these: where the caller's frame lies is in a register
    // that a sample does not have.
    #expect(stacks(run).allSatisfy { $0.contains("act(_:)") }, "\(stacks(run))")
    #expect(stacks(run).contains(where: isHandled), "\(stacks(run))")
  }

  @Test("one that was suspended has not stalled: the time is told and is nobody's", arguments: usual)
  func suspended(build: FixtureProgram.Build) async throws {
    let run = try await recorded(["suspended"], build, prints: "continued\n")
    // No job was longer than all that passed while it was not stopped.
    let rest = try run.restMilliseconds + 1
    #expect(
      run.summary.stalls.allSatisfy { $0.lengthMilliseconds < rest }, "\(run.summary.stalls.map(\.lengthMilliseconds))")
    #expect(run.summary.mainActor.worstMilliseconds < rest)
    #expect(run.outcome.errors.contains("in which the whole process did not run"), "\(run.outcome.errors)")
  }

  @Test("frames of another language stand between the program's own", arguments: usual)
  func otherLanguage(build: FixtureProgram.Build) async throws {
    let run = try await recorded(["foreign"], build, prints: "0\n") {
      !$0.samples(of: "compareSlowly(_:_:)").isEmpty
    }
    let stacks = run.samples(of: "compareSlowly(_:_:)").map { $0.frames.map(\.function) }
    try #require(!stacks.isEmpty, "\(run.outcome.errors)")
    for stack in stacks {
      let callback = try #require(stack.firstIndex { $0 == "compareSlowly(_:_:)" }, "\(stack)")
      let sort = try #require(stack.firstIndex { $0.hasPrefix("qsort") }, "\(stack)")
      let caller = try #require(stack.firstIndex { $0 == "act(_:)" }, "\(stack)")
      #expect(callback < sort && sort < caller)
    }
  }

  @Test("what no table describes is shown as far as it is true, then as unknown", arguments: usual)
  func assembly(build: FixtureProgram.Build) async throws {
    let folder = try TestFolder.make()
    // Takes rbp for itself, calls back, and says nothing of either.
    let source = """
      __asm__(".text\\n.globl by_hand\\n.type by_hand, @function\\nby_hand:\\n  push %rbp\\n  mov $3, %ebp\\n  call *%rdi\\n"
              "  pop %rbp\\n  ret\\n.size by_hand, . - by_hand\\n");
      """
    try source.write(toFile: "\(folder)/by_hand.c", atomically: true, encoding: .utf8)
    let library = "\(folder)/libby_hand.so"
    let compiled = try await Subprocess(
      executable: "/usr/bin/env", arguments: ["clang", "-shared", "-fPIC", "\(folder)/by_hand.c", "-o", library]
    ).run()
    try #require(compiled.end == .exited(0), "\(compiled.errors)")
    let run = try await recorded(["assembly", library], build, prints: "returned\n") {
      !$0.samples(of: "computeInCallback()").isEmpty
    }
    let samples = run.samples(of: "computeInCallback()")
    try #require(!samples.isEmpty, "\(run.outcome.errors)")
    for sample in samples {
      #expect(sample.frames.contains { $0.function == "computeInCallback()" && $0.line > 0 }, "\(sample.frames)")
      #expect(sample.frames.suffix(2).map(\.function) == ["by_hand", "unknown"], "\(sample.frames)")
    }
  }

  @Test("a stripped program has its lengths, places in its file and the names of its actors, and is told so")
  func stripped() async throws {
    let program = try await FixtureProgram.named("Stalling", .stripped)
    let run = try await program.recorded(["two"]) {
      $0.summary.stalls.contains { $0.samples.contains { $0.frames.contains { $0.function.hasPrefix("Stalling+0x") } } }
    }
    let stall = try #require(run.summary.stalls.first, "\(run.outcome.errors)")
    #expect(stall.lengthMilliseconds >= 240 || run.stoodStill)
    let frames = run.summary.stalls.flatMap(\.samples).flatMap(\.frames)
    #expect(frames.contains { $0.function.hasPrefix("Stalling+0x") }, "\(frames.map(\.function))")
    #expect(frames.allSatisfy { $0.line == 0 || !$0.file.hasSuffix(".swift") })
    #expect(run.outcome.errors.contains("is stripped"), "\(run.outcome.errors)")
    let doctor = try await Tool.run(["doctor", program.path])
    #expect(doctor.text.contains("stripped: functions are shown as places in the file"), "\(doctor.text)")
  }

  @Test("a clock that jumps by hours changes no length")
  func clock() async throws {
    let folder = try TestFolder.make()
    let source = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <sys/time.h>
      #include <time.h>
      static long jump(void) { static long turn; return (++turn % 3 - 1) * 7200; }
      int clock_gettime(clockid_t clock, struct timespec *time) {
        static int (*next)(clockid_t, struct timespec *);
        if (!next) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
        int result = next(clock, time);
        if (clock == CLOCK_REALTIME) time->tv_sec += jump();
        return result;
      }
      int gettimeofday(struct timeval *restrict time, void *restrict zone) {
        (void)zone;
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
        return 0;
      }
      """
    try source.write(toFile: "\(folder)/jump.c", atomically: true, encoding: .utf8)
    let library = "\(folder)/libjump.so"
    let compiled = try await Subprocess(
      executable: "/usr/bin/env", arguments: ["clang", "-shared", "-fPIC", "\(folder)/jump.c", "-o", library]
    ).run()
    try #require(compiled.end == .exited(0), "\(compiled.errors)")
    let program = try await FixtureProgram.named("Planted", .release)
    let run = try await program.recorded(environment: ["LD_PRELOAD": library])
    let truths = run.outcome.numbers("planted").map { $0 / 1e6 }
    let stalls = run.summary.stalls.sorted { $0.startSeconds < $1.startSeconds }.map(\.lengthMilliseconds)
    try #require(truths.count == 4)
    if try run.isUndisturbed { #expect(stalls.count == 4) }
    // The clock jumps by two hours, and no machine stands still for one.
    for stall in stalls { #expect(stall >= 0 && stall < 3_600_000, "\(stall) ms for one of \(truths)") }
    let rest = try run.restMilliseconds
    for truth in truths where !run.stoodStill {
      #expect(stalls.contains { $0 > truth - 0.05 && $0 < truth + rest + 0.05 }, "\(stalls) ms for \(truth) ms")
    }
    #expect(run.summary.process.durationSeconds < 3600)
  }

  @Test("a limit on the size of files leaves the program unharmed: less is kept, or nothing, and that is said")
  func limitedFiles() async throws {
    let program = try await FixtureProgram.named("RoundTrips", .release)
    for (blocks, isRecorded) in [(8, false), (24_000, true)] {
      let json = "\(try TestFolder.make())/run.json"
      let outcome = try await Subprocess(
        executable: "/bin/sh",
        arguments: [
          "-c", "ulimit -f \(blocks); exec \"$@\"", "sh", Tool.path, "run", "--json", json, "--", program.path,
          "200000",
        ]
      ).run()
      #expect(outcome.end == .exited(0), "\(outcome.errors)")
      #expect(outcome.text == "200000\n")
      if isRecorded {
        let data = try #require(FileManager.default.contents(atPath: json), "\(outcome.errors)")
        let summary = try JSONDecoder().decode(RunSummary.self, from: data)
        #expect(summary.mainActor.jobs == 200_001)
      } else {
        #expect(outcome.errors.contains("could not write its recording"), "\(outcome.errors)")
      }
    }
  }

  @Test(
    "a program may have any name: it is recorded, and nothing in its name commands the terminal",
    arguments: ["two words", "a\nnew line", "a\ttab", "back\\slash\\n", "esc\u{1B}[31mred", "quote'd \"and\" $HOME"])
  func names(name: String) async throws {
    let program = try await FixtureProgram.named("RoundTrips", .release)
    let folder = try TestFolder.make()
    let path = "\(folder)/\(name)"
    try await TestFolder.copyExecutable(program.path, to: path)
    let run = try await Tool.record([path, "10"], options: ["--recording", "\(folder)/kept \(name)"])
    #expect(run.outcome.text == "10\n")
    #expect(run.summary.mainActor.jobs == 11 && run.summary.process.executable == name)
    #expect(run.summary.processes.map(\.executable) == [name])

    // What is said of one that cannot be recorded fits a line, and a shell reads the command in it as it is meant.
    try FileManager.default.removeItem(atPath: path)
    try await TestFolder.copyExecutable("/bin/true", to: path)
    let foreign = try await Tool.run(["run", "--", path])
    #expect(foreign.end == .exited(0) && foreign.errors.contains("does not load the Swift concurrency runtime"))
    let missing = try await Tool.run(["run", "--", path + "-missing"])
    #expect(missing.end == .exited(4) && missing.errors.contains("there is no program at"))
    for errors in [run.outcome.errors, foreign.errors, missing.errors] {
      #expect(!errors.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }, "\(errors)")
    }
    for errors in [foreign.errors, missing.errors] { #expect(errors.split(separator: "\n").count == 1, "\(errors)") }
    let advice = try #require(foreign.errors.firstMatch(of: /'mainstay doctor (.*)' says/)?.output.1)
    let shell = try await Subprocess(executable: "/bin/bash", arguments: ["-c", "printf %s \(advice)"]).run()
    #expect(shell.text == path)
  }

  /// The thread lets no signal in while it computes: what is known of it is known without one.
  private func expectOneStallWithoutStack(_ run: Tool.Run) throws {
    let stalls = run.summary.stalls
    #expect(!stalls.isEmpty && run.samples(of: "compute(milliseconds:)").isEmpty, "\(stalls)")
    if try run.isUndisturbed { #expect(stalls.count == 1 && stalls[0].samples.isEmpty, "\(stalls)") }
  }

  private func recorded(
    _ arguments: [String], _ build: FixtureProgram.Build, prints text: String,
    until isSeen: (Tool.Run) -> Bool = { _ in true }
  ) async throws -> Tool.Run {
    let program = try await FixtureProgram.named("Unusual", build)
    let plain = try await program.run(arguments)
    #expect(plain.text == text, "unrecorded: \(plain.errors)")
    let run = try await program.recorded(arguments, until: isSeen)
    #expect(run.outcome.end == .exited(0), "\(run.outcome.errors)")
    #expect(run.outcome.text == text)
    return run
  }
}
