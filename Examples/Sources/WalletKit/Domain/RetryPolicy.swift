/// How often, and after which pauses, a request is repeated.

/// An error after which the same request, with the same key, may succeed.
public protocol RetryableError: Error {
  var isRetryable: Bool { get }
}

extension WalletError: RetryableError {
  public var isRetryable: Bool {
    switch self {
    case .poisoned, .reloading, .contended, .approvalExpired, .checkUnanswered: true
    default: false
    }
  }

  /// Whether the same request is refused whatever is done meanwhile: there is nothing that a person could try again.
  public var isFinal: Bool {
    switch self {
    case .notAnAccountName, .notAKey, .unknownAccount, .accountExists, .amountNotPositive, .amountTooLarge,
      .sameAccount,
      .otherCurrency, .keyReused, .notApproved, .approvalForeign:
      true
    // Money comes and goes, and a wallet can be mended.
    case .insufficientFunds, .overflow, .checkUnanswered, .approvalExpired, .poisoned, .reloading, .contended: false
    }
  }
}

/// Bounded repetition with pauses that grow and are drawn at random, so that those who met once do not meet again.
public struct RetryPolicy: Sendable {
  /// How often in all, at least once.
  public var attempts: Int
  /// The longest first pause.
  public var first: Duration
  /// The longest pause of all.
  public var longest: Duration
  /// How long all attempts and pauses may take together. No attempt begins later, and what an attempt waits for ends then:
  /// see ``CallDeadline``.
  public var within: Duration

  /// What a call has that names no policy. Trials and tests give theirs more time: what they ask is what becomes of a
  /// call, however long the machine takes for it.
  @TaskLocal public static var standard = RetryPolicy(
    attempts: 5, first: .milliseconds(20), longest: .seconds(1), within: .seconds(15))
  public static let once = RetryPolicy(attempts: 1, first: .zero, longest: .zero)

  public init(
    attempts: Int, first: Duration, longest: Duration, within: Duration = RetryPolicy.standard.within
  ) {
    self.attempts = max(1, attempts)
    self.first = first
    self.longest = longest
    self.within = within
  }

  /// A pause between nothing and a bound that doubles with every failure.
  public func pause(afterFailures failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    let bound = min(longest, first * (1 << min(failures - 1, 30)))
    return bound * Double.random(in: 0...1, using: &generator)
  }

  /// Runs the operation, again while it throws a retryable error, and attempts and time are left.
  ///
  /// - Parameter recover: runs before each repetition; if it throws a retryable error, that is one more failure.
  nonisolated(nonsending) public func run<Value>(
    _ operation: nonisolated(nonsending) () async throws -> Value,
    recover: nonisolated(nonsending) (any Error) async throws -> Void = { _ in }
  ) async throws -> Value {
    let deadline = CallDeadline.after(within)
    var failures = 0
    var last: (any Error)?
    while true {
      do {
        return try await CallDeadline.$instant.withValue(deadline) {
          if let last { try await recover(last) }
          return try await operation()
        }
      } catch {
        failures += 1
        guard failures < attempts, (error as? any RetryableError)?.isRetryable == true else { throw error }
        last = error
        var generator = SystemRandomNumberGenerator()
        let pause = pause(afterFailures: failures, using: &generator)
        guard ContinuousClock.now + pause < deadline else { throw error }
        try await Task.sleep(for: pause)
      }
    }
  }
}
