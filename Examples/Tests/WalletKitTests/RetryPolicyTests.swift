import Testing
import WalletKit

@Suite("Retrying")
struct RetryPolicyTests {
  private struct Hopeless: Error {}
  /// Its time never ends: other tests may hold the pool for many seconds.
  private let quick = RetryPolicy(attempts: 4, first: .zero, longest: .zero, within: .seconds(86_400))

  @Test("a retryable error is retried, so many times and no more")
  func bounded() async {
    var calls = 0
    await #expect(throws: WalletError.reloading) {
      try await quick.run {
        calls += 1
        throw WalletError.reloading
      }
    }
    #expect(calls == 4)
  }

  @Test("another error is not retried")
  func hopeless() async {
    var calls = 0
    await #expect(throws: Hopeless.self) {
      try await quick.run {
        calls += 1
        throw Hopeless()
      }
    }
    #expect(calls == 1)
  }

  @Test("recovery runs before each repetition, with the error")
  func recovery() async throws {
    var steps: [String] = []
    let result = try await quick.run {
      steps.append("try")
      if steps.count < 4 { throw WalletError.reloading }
      return steps.count
    } recover: { error in
      steps.append("\(error is WalletError)")
    }
    #expect(result == 5)
    #expect(steps == ["try", "true", "try", "true", "try"])
  }

  @Test("no attempt begins when the time of all is over, and the error is that of the last one")
  func deadline() async {
    var calls = 0
    let policy = RetryPolicy(attempts: 4, first: .zero, longest: .zero, within: .zero)
    await #expect(throws: WalletError.reloading) {
      try await policy.run {
        calls += 1
        throw WalletError.reloading
      }
    }
    #expect(calls == 1)
  }

  @Test("all attempts have one deadline, recovery included, and a call within a call has none that is later")
  func oneDeadline() async throws {
    var seen: [ContinuousClock.Instant?] = []
    let outer = RetryPolicy(attempts: 3, first: .zero, longest: .zero, within: .seconds(600))
    let inner = RetryPolicy(attempts: 1, first: .zero, longest: .zero, within: .seconds(6_000))
    await #expect(throws: WalletError.reloading) {
      try await outer.run {
        seen.append(CallDeadline.instant)
        try await inner.run {
          seen.append(CallDeadline.instant)
          throw WalletError.reloading
        }
      } recover: { _ in
        seen.append(CallDeadline.instant)
      }
    }
    #expect(seen.count == 8)
    #expect(Set(seen).count == 1 && seen[0] != nil)
    #expect(CallDeadline.instant == nil)
  }

  @Test("pauses are drawn between nothing and a bound that doubles up to the longest")
  func jitter() {
    let policy = RetryPolicy(attempts: 10, first: .milliseconds(10), longest: .milliseconds(50))
    var generator = SystemRandomNumberGenerator()
    for (failures, bound) in [(1, 10), (2, 20), (3, 40), (4, 50), (64, 50)] {
      let pauses = (0..<200).map { _ in policy.pause(afterFailures: failures, using: &generator) }
      #expect(pauses.allSatisfy { (.zero ... .milliseconds(bound)).contains($0) })
      #expect(Set(pauses).count > 100, "they differ, so that those who met once do not meet again")
    }
  }
}
