public import Testing

@_exported public import struct Mainstay.FrameBudget

/// Fails a test when a main-actor job of its own takes longer than a frame.
///
/// ```swift
/// @Test(.frameBudget(.hz60))
/// func searching() async { await model.search("café") }
/// ```
///
/// A test's own jobs are those of its task and of everything that it began: child tasks, `Task {}` and `Task.detached`,
/// what those begin, and blocks for the main queue. Other tests that run at the same time, on the main actor too, do not
/// count. A job is judged by its own run time: what it ran and what it was blocked in, without the time in which it
/// waited for a processor, so that a busy machine fails nothing.
///
/// On a suite it holds for every test in it; of several the innermost holds. The cases of a parametrised test are judged
/// one by one.
///
/// When a test has returned, it is judged as soon as what it began has ended or waits for something. What then still waits
/// for more than a tenth of a second is left alone, with a warning.
///
/// Judging needs the recorder, on Linux for x86-64 with Swift 6.3. Where it declines, a heartbeat watches the main actor
/// instead; it cannot tell whose job it saw, so it never fails a test, and a warning says what it saw.
public struct FrameBudgetTrait: TestTrait, SuiteTrait, TestScoping {
  let budget: FrameBudget
  let allowed: Int

  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let (result, verdict) = await FrameBudgetVerdict.of(budget, allowing: allowed) {
      () async -> Result<Void, any Error> in
      do { return .success(try await function()) } catch { return .failure(error) }
    }
    for issue in verdict.issues {
      Issue.record(issue.comment, severity: issue.severity, sourceLocation: test.sourceLocation)
    }
    try result.get()
  }
}

extension Trait where Self == FrameBudgetTrait {
  /// The longest that a main-actor job of the test may take.
  ///
  /// - Parameters:
  ///   - budget: the frame interval of the display.
  ///   - overruns: how many jobs may be longer; not negative. For a test of work that is not yet what it should be.
  public static func frameBudget(_ budget: FrameBudget, allowing overruns: Int = 0) -> Self {
    FrameBudgetTrait(budget: budget, allowed: max(overruns, 0))
  }
}
