/// The slow question: may this transfer be made at all?

/// What a fraud check says.
public enum FraudVerdict: Sendable, Hashable {
  case approved
  case refused(reason: String)
}

/// A service that takes its time: a network call, a model. It belongs to no actor, and no actor waits for it.
public protocol FraudChecker: Sendable {
  func examine(_ transfer: Transfer) async throws -> FraudVerdict
}

/// Approves what stays below a limit, after as long as a call over a network takes.
public struct LimitChecker: FraudChecker {
  /// In minor units of any currency.
  public let limit: Int64
  public let latency: Duration

  public init(limit: Int64 = .max, latency: Duration = .zero) {
    self.limit = limit
    self.latency = latency
  }

  @concurrent
  public func examine(_ transfer: Transfer) async throws -> FraudVerdict {
    if latency > .zero { try await Task.sleep(for: latency) }
    guard transfer.amount.minorUnits <= limit else {
      return .refused(
        reason: "\(transfer.amount) is over the limit of \(Money(minorUnits: limit, transfer.amount.currency))")
    }
    return .approved
  }
}
