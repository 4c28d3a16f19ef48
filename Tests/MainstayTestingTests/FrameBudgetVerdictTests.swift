import Foundation
import Mainstay
import MainstayRecording
import Synchronization
import Testing

@testable import MainstayTesting

/// Jobs here differ from the budget by a fifth at least, and each test asks who judged it.
@Suite("A test's frame budget", .serialized, .timeLimit(.minutes(60)))
struct FrameBudgetVerdictTests {
  typealias Body = @Sendable () async -> Void

  /// - Parameter clock: what the patience with tasks that have not ended is measured by. By one that stands still there is
  ///   no end of it, however slow the machine is.
  private func verdict(
    _ budget: FrameBudget = .hz60, allowing allowed: Int = 0, clock: @escaping FrameBudgetVerdict.Clock = Self.standing,
    _ body: Body
  ) async throws -> FrameBudgetVerdict {
    let (_, verdict) = await FrameBudgetVerdict.of(budget, allowing: allowed, clock: clock, body)
    try #require(verdict.judge == .recorder, "this toolchain's runtime is the one that the recorder knows")
    return verdict
  }

  private static let epoch = ContinuousClock.now
  static let standing: FrameBudgetVerdict.Clock = { epoch }

  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (_ milliseconds: Double) async -> Void

    init(_ name: String, _ run: @escaping @Sendable (_ milliseconds: Double) async -> Void) {
      testDescription = name
      self.run = run
    }
  }

  static let ways: [Way] = [
    Way("a call to the main actor") { await Model().decode(milliseconds: $0) },
    Way("a job between two awaits") { await Model().reload(milliseconds: $0) },
    Way("Task {}") { milliseconds in Task { @MainActor in work(milliseconds: milliseconds) } },
    Way("Task {} in Task {}") { milliseconds in Task { Task { @MainActor in work(milliseconds: milliseconds) } } },
    Way("Task.detached") { milliseconds in Task.detached { await Model().decode(milliseconds: milliseconds) } },
    Way("async let") { milliseconds in
      async let decoded: Void = Model().decode(milliseconds: milliseconds)
      await decoded
    },
    Way("a task group") { milliseconds in
      await withTaskGroup { group in group.addTask { await Model().decode(milliseconds: milliseconds) } }
    },
    Way("async let in a task group") { milliseconds in
      await withTaskGroup { group in
        group.addTask {
          async let decoded: Void = Model().decode(milliseconds: milliseconds)
          await decoded
        }
      }
    },
    Way("Task {} from an async let") { milliseconds in
      async let begun = Task { @MainActor in work(milliseconds: milliseconds) }
      _ = await begun
    },
    Way("Task.immediate") { milliseconds in
      await MainActor.run { _ = Task.immediate { @MainActor in work(milliseconds: milliseconds) } }
    },
    Way("a block of the main queue") { milliseconds in DispatchQueue.main.async { work(milliseconds: milliseconds) } },
    Way("Task {} from a block of the main queue") { milliseconds in
      DispatchQueue.main.async { Task { @MainActor in work(milliseconds: milliseconds) } }
    },
    Way("a delayed block of the main queue") { milliseconds in
      await withCheckedContinuation { done in
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) {
          work(milliseconds: milliseconds)
          done.resume()
        }
      }
    },
  ]

  @Test("is overrun by a long job of whatever the test begins, and by a short one not", arguments: ways)
  func everyWay(way: Way) async throws {
    let long = try await verdict { await way.run(20) }
    #expect(long.over == 1 && long.isOverBudget && long.droppedFrames == 1, "\(long)")
    #expect(long.unfinished == 0)
    let short = try await verdict { await way.run(13) }
    #expect(short.over == 0 && !short.isOverBudget && short.droppedFrames == 0, "\(short)")
    #expect(short.jobs > 0, "the short job was seen too")
  }

  @Test("counts what a job was blocked in, and not what it waited for a processor")
  func blocked() async throws {
    let began = ContinuousClock.now
    let long = try await verdict { await MainActor.run { _ = usleep(30_000) } }
    let all = began.duration(to: .now)
    #expect(long.over == 1)
    let length = try #require(long.longest)
    #expect(length >= .milliseconds(30) && length <= all, "\(length)")
  }

  @Test("is not overrun by other tests' jobs on the main actor, nor by work off it")
  func others() async throws {
    let gate = Gate()
    let blocker = Task.detached {
      while await !gate.isOpen { await MainActor.run { work(milliseconds: 25) } }
    }
    let mine = try await verdict {
      for _ in 0..<5 { await Model().reload(milliseconds: 1) }
      work(milliseconds: 60)
    }
    await gate.open()
    await blocker.value
    #expect(mine.over == 0 && mine.jobs >= 10, "\(mine)")
  }

  @Test("names function, file and line, frames dropped and stack")
  func message() async throws {
    let long = try await verdict { await Model().decode(milliseconds: 90) }
    let text = try #require(long.issues.first?.comment.rawValue)
    #expect(long.issues.count == 1 && long.issues.first?.severity == .error)
    #expect(text.hasPrefix("the only main-actor job of this test overran the budget of 16.7 ms: 5 frames dropped\n"))
    #expect(text.contains(", FrameBudgetVerdictTests.swift:"), "\(text)")
    #expect(text.contains("running in "), "\(text)")
    #expect(text.contains("Work.swift:"), "\(text)")
    #expect(text.hasSuffix("or split it (FrameSlicer)"))
  }

  @Test("allows as many overruns as it is told, and then says how many there were")
  func allowing() async throws {
    let body: Body = { for _ in 0..<3 { await Model().decode(milliseconds: 20) } }
    let allowed = try await verdict(allowing: 3, body)
    #expect(allowed.over == 3 && !allowed.isOverBudget && allowed.issues.isEmpty)
    let refused = try await verdict(allowing: 2, body)
    #expect(refused.isOverBudget)
    let text = refused.issues.first?.comment.rawValue ?? ""
    #expect(text.contains("3 of 3 main-actor jobs of this test overran the budget of 16.7 ms (2 allowed)"), "\(text)")
  }

  @Test("may be as short or as long as there are")
  func extremes() async throws {
    let shortest = FrameBudget(interval: Duration(secondsComponent: 0, attosecondsComponent: 1))
    let never = try await verdict(shortest) { await Model().decode(milliseconds: 1) }
    #expect(never.isOverBudget && never.droppedFrames > 1_000)
    let always = try await verdict(FrameBudget(interval: .seconds(Int64.max))) {
      await Model().decode(milliseconds: 20)
    }
    #expect(always.jobs > 0 && !always.isOverBudget)
  }

  @Test("is judged by the innermost, and the outer one judges what is outside of that")
  func nested() async throws {
    let (inner, outer) = await FrameBudgetVerdict.of(.hz60) {
      let inner = await FrameBudgetVerdict.of(FrameBudget(interval: .milliseconds(100))) {
        await Model().decode(milliseconds: 60)
      }.1
      await Model().decode(milliseconds: 5)
      return inner
    }
    #expect(inner.judge == .recorder && outer.judge == .recorder)
    #expect(inner.over == 0 && inner.jobs == 1, "\(inner)")
    #expect(outer.over == 0 && outer.jobs == 1, "\(outer)")
  }

  @Test("waits for what the test began as long as it works, and warns of what only waits")
  func unfinished() async throws {
    let gate = Gate()
    let time = TimeOfWork(from: Self.epoch)
    let waiting = try await verdict(clock: { time.now }) {
      Task { await gate.wait() }
      Task {
        for _ in 0..<20 { await Model().reload(milliseconds: 2) }
        time.fly()
      }
    }
    #expect(waiting.unfinished == 1, "\(waiting)")
    #expect(waiting.jobs >= 40, "what worked was waited for: \(waiting)")
    let warning = try #require(waiting.issues.first)
    #expect(warning.severity == .warning)
    #expect(warning.comment.rawValue.hasPrefix("1 task that this test began has not ended"))
    await gate.open()
  }

  @Test("holds through a thousand tests, and gives back what each used")
  func many() async throws {
    for number in 0..<1_100 {
      let (_, one) = await FrameBudgetVerdict.of(.hz60) { await Task { @MainActor in }.value }
      try #require(one.judge == .recorder && one.jobs == 1 && one.unfinished == 0, "\(number): \(one)")
    }
  }

  @Test("is watched by a heartbeat where the recorder declines: a warning that says so, and never a failure")
  func fallback() async throws {
    let (value, verdict) = await FrameBudgetVerdict.of(.hz60, opening: Self.decline) {
      await Model().decode(milliseconds: 60)
      return 7
    }
    #expect(value == 7)
    #expect(!verdict.isOverBudget && verdict.issues.count == 1)
    let warning = try #require(verdict.issues.first)
    #expect(warning.severity == .warning)
    let text = warning.comment.rawValue
    #expect(
      text.hasPrefix("the frame budget was not judged: this process cannot be recorded: it is a test."), "\(text)")
    guard case .heartbeat(_, let worst) = verdict.judge else { return #expect(Bool(false), "\(verdict)") }
    #expect(worst > .milliseconds(50))
    #expect(text.contains("Meanwhile a heartbeat on the main actor was up to "), "\(text)")
  }

  private static func decline(_ budget: FrameBudget) throws(Recording.Failure) -> JobScope {
    throw .declined("is a test")
  }
}

/// A time that stands still while something works, and flies afterwards.
private final class TimeOfWork: Sendable {
  private let start: ContinuousClock.Instant
  private let flies = Atomic(false)
  private let looks = Atomic(0)

  init(from start: ContinuousClock.Instant) { self.start = start }

  var now: ContinuousClock.Instant {
    guard flies.load(ordering: .acquiring) else { return start }
    return start + .seconds(looks.add(1, ordering: .relaxed).newValue)
  }

  func fly() { flies.store(true, ordering: .releasing) }
}

/// Lets those pass who wait, once it is open.
actor Gate {
  private(set) var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func wait() async {
    if !isOpen { await withCheckedContinuation { waiting.append($0) } }
  }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}
