/// The answer of a fraud check, bound to what was asked.

/// Says that one transfer may be made, for a while. Only an ``ApprovalDesk`` makes one.
///
/// It is bound to the amount, both parties, the key, and the time, and ``verify(_:key:desk:at:)`` runs inside the unit
/// of work: between the check outside and the change inside, anything may have happened.
public struct TransferApproval: Sendable {
  private let transfer: Transfer
  private let key: TransferKey
  private let desk: ApprovalDesk.Identity
  /// Milliseconds since 1970-01-01 UTC; valid until before this one.
  public let expiresAt: Int64

  fileprivate init(_ transfer: Transfer, key: TransferKey, desk: ApprovalDesk.Identity, expiresAt: Int64) {
    self.transfer = transfer
    self.key = key
    self.desk = desk
    self.expiresAt = expiresAt
  }

  /// - Throws: `WalletError.approvalForeign` or `.approvalExpired`.
  public func verify(
    _ transfer: Transfer, key: TransferKey, desk: ApprovalDesk.Identity, at milliseconds: Int64
  ) throws(WalletError) {
    guard desk == self.desk else { throw .approvalForeign(key, reason: "another desk gave it") }
    guard key == self.key else { throw .approvalForeign(key, reason: "it was given to \(self.key)") }
    guard transfer == self.transfer else {
      let given = self.transfer
      throw .approvalForeign(key, reason: "it was given to \(given.amount) from \(given.sender) to \(given.recipient)")
    }
    guard milliseconds < expiresAt else { throw .approvalExpired(key, milliseconds: milliseconds - expiresAt) }
  }
}

/// Asks the fraud check and puts the answer into an approval that only wallets of the same desk accept.
public final class ApprovalDesk: Sendable {
  /// Tells desks apart.
  public struct Identity: Sendable, Hashable {
    private let number: UInt64

    fileprivate init() { number = .random(in: .min ... .max) }
  }

  public let identity = Identity()
  private let checker: any FraudChecker
  private let validity: Duration
  private let clock: WalletClock

  /// - Parameter validity: how long an approval is accepted.
  public init(checker: any FraudChecker, validity: Duration = .seconds(60), clock: WalletClock = .system) {
    self.checker = checker
    self.validity = validity
    self.clock = clock
  }

  /// Waits for the fraud check, on no actor; while a call has a deadline, until most of its time is over, whatever the
  /// check does. One that has not answered by then is cancelled, and no longer waited for.
  ///
  /// - Throws: `WalletError.notApproved` and `.checkUnanswered`, what the check throws, and `CancellationError`.
  @concurrent
  public func approve(_ transfer: Transfer, key: TransferKey) async throws -> TransferApproval {
    switch try await examine(transfer, key) {
    case .approved:
      let (seconds, attoseconds) = validity.components
      let expiresAt = clock.milliseconds + seconds * 1_000 + attoseconds / 1_000_000_000_000_000
      return TransferApproval(transfer, key: key, desk: identity, expiresAt: expiresAt)
    case .refused(let reason):
      throw WalletError.notApproved(key, reason: reason)
    }
  }

  private nonisolated(nonsending) func examine(_ transfer: Transfer, _ key: TransferKey) async throws -> FraudVerdict {
    guard let deadline = CallDeadline.ofAnswers else { return try await checker.examine(transfer) }
    return try await AwaitedAnswer.of(
      { [checker] in try await checker.examine(transfer) }, until: deadline, late: WalletError.checkUnanswered(key))
  }
}
