import Testing

@testable import Mainstay

/// The proof is arithmetic on what the kernel counts, so its cases are planted.
@Suite("A proof that the main actor was idle")
struct IdleProofTests {
  /// Feeds one interval after the other: how often threads went to sleep in it, and the microseconds they used.
  private struct Process {
    var proof = IdleProof(interval: 2_000_000)
    var activity = IdleProof.Activity(sleeps: 1_000, processorTime: 5_000)

    /// True when the main actor is asked at the end of the interval.
    mutating func interval(sleeps: Int, used: Int = 9, hasAnswered: Bool = true) -> Bool {
      activity.sleeps += sleeps
      activity.processorTime += used
      return proof.mustAsk(after: activity, hasAnswered: hasAnswered)
    }

    /// Until it is known to be idle.
    mutating func settle() -> Bool {
      _ = interval(sleeps: 5)
      _ = interval(sleeps: 1)
      return !interval(sleeps: 1)
    }
  }

  @Test("takes two intervals in which the one that answered went to sleep, and nobody else")
  func settles() {
    var process = Process()
    let asks = [40, 1, 1, 0, 0].map { process.interval(sleeps: $0) }
    #expect(asks == [true, true, false, false, false], "what stood behind the first beat may have been running")
  }

  @Test("is none when a beat is not answered, when others ran, or when nobody went to sleep again")
  func refused() {
    var unanswered = Process()
    var others = Process()
    var running = Process()
    for _ in 0..<10 {
      let asks = [
        unanswered.interval(sleeps: 1, hasAnswered: false), others.interval(sleeps: 2), running.interval(sleeps: 0),
      ]
      #expect(asks == [true, true, true])
    }
  }

  @Test("ends at the next instant when a thread has slept or used the processor")
  func ends() {
    var sleeping = Process()
    let sleepingSettled = sleeping.settle()
    let asksTheSleeping = sleeping.interval(sleeps: 1, used: 4)
    #expect(sleepingSettled && asksTheSleeping, "whatever went to sleep was awake before")
    var computing = Process()
    let computingSettled = computing.settle()
    let asksTheComputing = [
      computing.interval(sleeps: 0, used: 800), computing.interval(sleeps: 1, hasAnswered: false),
    ]
    #expect(computingSettled && asksTheComputing == [true, true], "and it is not idle before it answers")
  }

  @Test("does not hold for longer than 20 ms without asking")
  func expires() {
    var process = Process()
    let settled = process.settle()
    #expect(settled)
    let unasked = (0..<10).map { _ in process.interval(sleeps: 0, used: 0) }
    #expect(unasked == Array(repeating: false, count: 9) + [true])
    let asksAgain = process.interval(sleeps: 1)
    #expect(!asksAgain, "it goes on when the answer changes nothing")
  }

  @Test("is none where the kernel does not tell")
  func unknown() {
    var proof = IdleProof(interval: 2_000_000)
    for _ in 0..<5 {
      let asks = proof.mustAsk(after: nil, hasAnswered: true)
      #expect(asks)
    }
  }
}
