import Mainstay
import MainstayRecording
import MainstayTrace

/// What one test did on the main actor, held against its budget.
struct FrameBudgetVerdict: Sendable {
  enum Judge: Sendable, Equatable {
    case recorder
    /// The recorder declined, for this reason; the longest that the main actor kept a beat waiting meanwhile.
    case heartbeat(reason: String, worst: Duration)
  }

  let budget: FrameBudget
  let allowed: Int
  var judge: Judge
  /// Main-actor jobs and main-queue blocks that ended.
  var jobs = 0
  var over = 0
  var droppedFrames = 0
  var longest: Duration?
  /// The longest job, when it is over the budget.
  var culprit: Culprit?
  /// Tasks and blocks that the test began and that have not ended.
  var unfinished = 0

  struct Culprit: Sendable {
    var length: Duration
    var isBlock: Bool
    /// Nil when the recording could not be read, for this reason.
    var description: JobDescription?
    var problem: String?
  }

  typealias Opening = (FrameBudget) throws(MainstayRecording.Recording.Failure) -> JobScope
  /// What time it is.
  typealias Clock = @Sendable () -> ContinuousClock.Instant

  var isOverBudget: Bool { over > allowed }

  /// Runs the body as a test of its own, and judges it. Nested in another, it judges what is inside it.
  static func of<Value: Sendable>(
    _ budget: FrameBudget, allowing allowed: Int = 0, opening open: Opening = JobScope.init,
    clock: Clock = { .now }, _ body: () async -> Value
  ) async -> (Value, FrameBudgetVerdict) {
    var verdict = FrameBudgetVerdict(budget: budget, allowed: allowed, judge: .recorder)
    let scope: JobScope
    do throws(MainstayRecording.Recording.Failure) { scope = try open(budget) } catch {
      return await withHeartbeat(&verdict, reason: "\(error)", body)
    }
    let value = await body()
    if let report = await settled(scope, clock) {
      verdict.take(report, of: scope)
    } else {
      verdict.judge = .heartbeat(reason: "recording was stopped while the test ran", worst: .zero)
    }
    scope.close()
    return (value, verdict)
  }

  private mutating func take(_ report: JobScope.Report, of scope: JobScope) {
    jobs = report.jobs
    over = report.over
    droppedFrames = report.droppedFrames
    unfinished = report.unfinished
    longest = report.longest.first?.length
    guard isOverBudget, let worst = report.longest.first else { return }
    culprit = Culprit(length: worst.length, isBlock: worst.isBlock)
    do throws(MainstayRecording.Recording.Failure) { culprit?.description = try scope.describe(worst) } catch {
      culprit?.problem = "\(error)"
    }
  }

  /// How long something that waits is waited for, and how long something that works.
  private static let grace = Duration.milliseconds(100)
  private static let patience = Duration.seconds(60)

  /// The report when everything that was begun has ended, or waits.
  private static func settled(_ scope: JobScope, _ clock: Clock) async -> JobScope.Report? {
    let began = clock()
    var worked = began
    while let report = scope.report {
      let now = clock()
      if report.busy > 0 { worked = now }
      if report.unfinished == 0 && report.busy == 0 { return report }
      if now - worked > grace || now - began > patience || Task.isCancelled { return report }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return nil
  }

  private static func withHeartbeat<Value: Sendable>(
    _ verdict: inout FrameBudgetVerdict, reason: String, _ body: () async -> Value
  ) async -> (Value, FrameBudgetVerdict) {
    let heartbeat = await Heartbeat(budget: verdict.budget)
    await heartbeat.start()
    let value = await body()
    let report = await heartbeat.stop()
    verdict.judge = .heartbeat(reason: reason, worst: report.worst)
    return (value, verdict)
  }
}
