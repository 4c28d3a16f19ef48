import Testing

/// Walking stacks is C with internal headers: a program of its own drives it.
@Suite("Stacks are walked by the tables of exceptions", .timeLimit(.minutes(60)))
struct StackTests {
  private static let builds: [CheckProgram.Build] = [.sanitized("address,undefined"), .optimized]

  @Test(
    "stepped through instruction by instruction, the frames are those that the language's own unwinder finds",
    arguments: builds)
  func everyInstruction(build: CheckProgram.Build) async throws {
    try await CheckProgram.stack.check("every-instruction", build)
  }

  @Test(
    "of a blocked thread every caller is found from outside, and nothing that an earlier call left behind",
    arguments: builds)
  func blocked(build: CheckProgram.Build) async throws { try await CheckProgram.stack.check("blocked", build) }

  @Test("the callers of a call that makes a task are those that the language's own unwinder finds", arguments: builds)
  func whoCalls(build: CheckProgram.Build) async throws { try await CheckProgram.stack.check("who-calls", build) }

  @Test("code without tables is shown as far as it is true, and then as unknown", arguments: builds)
  func unknown(build: CheckProgram.Build) async throws { try await CheckProgram.stack.check("unknown", build) }

  @Test("300,000 damaged tables lead nowhere else than to a refusal", arguments: builds)
  func damaged(build: CheckProgram.Build) async throws { try await CheckProgram.stack.check("damaged", build) }
}
