/// A wallet, wherever its accounts are kept.

/// What every wallet offers: in memory, in SQLite, or in PostgreSQL, with the same keys and the same receipts.
///
/// A method returns when its effect is durable, and a receipt can leave the process. The same key with the same request
/// gives the same receipt, and with another request `WalletError.keyReused`. A method that throws has changed nothing,
/// unless the error says that this is not known: then the client repeats the request with its key.
public protocol TransferStore: Sendable {
  func openAccount(_ account: AccountID, in currency: Currency, key: TransferKey) async throws -> LedgerEntry
  func deposit(_ amount: Money, to account: AccountID, key: TransferKey) async throws -> LedgerEntry
  /// Moves money that a fraud check has approved. The approval is verified where the balance is.
  func transfer(_ transfer: Transfer, approval: TransferApproval, key: TransferKey) async throws -> LedgerEntry
  /// The receipt of a request that has been done with a key; nil when nothing has been done with it.
  func receipt(of request: WalletRequest, key: TransferKey) async throws -> LedgerEntry?
  func balance(of account: AccountID) async throws -> Money
  /// Every account by name.
  func accounts() async throws -> [AccountBalance]
  /// The ledger in order, from the line after `number`; at most `limit` lines.
  func ledger(after number: Int64, limit: Int) async throws -> [LedgerEntry]
  /// Replays the whole ledger and compares it with the balances.
  func verify() async throws -> LedgerAudit
  /// Does what must be done before a request can be repeated after `error`.
  func recover(from error: any Error) async throws
}

/// Ends a unit of work that nothing has been done for: its key is not known.
package struct NothingDone: Error {
  package init() {}
}

extension TransferStore {
  public func recover(from error: any Error) async throws {}

  /// A transfer as a client makes it: first the slow fraud check, outside of everything, then the quick change inside;
  /// repeated with the same key while the error says that this may help. What has been done with its key is answered
  /// whatever the check thinks of it by now. All attempts have one deadline, and so have the checks.
  ///
  /// - Throws: what the fraud check or the store throws, `CancellationError`. After a cancellation the transfer may have
  ///   happened; the same key tells.
  @concurrent
  public func performTransfer(
    _ transfer: Transfer, key: TransferKey, desk: ApprovalDesk, retry: RetryPolicy = .standard
  ) async throws -> LedgerEntry {
    try await retry.run {
      let approval: TransferApproval
      do {
        approval = try await desk.approve(transfer, key: key)
      } catch let refusal {
        guard let receipt = try await receipt(of: .transfer(transfer), key: key) else { throw refusal }
        return receipt
      }
      return try await self.transfer(transfer, approval: approval, key: key)
    } recover: { error in
      try await recover(from: error)
    }
  }
}
