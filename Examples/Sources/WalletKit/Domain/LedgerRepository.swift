/// What has happened to the accounts, in order.

/// The ledger of a wallet of one process: numbered from 1, without gaps.
@WalletActor
public final class LedgerRepository {
  public private(set) var entries: [LedgerEntry] = []

  public init() {}

  /// Writes the next line.
  public func record(_ request: WalletRequest, key: TransferKey, balance: Money, at seconds: Int64) -> LedgerEntry {
    let entry = LedgerEntry(
      number: Int64(entries.count) + 1, key: key, request: request, balance: balance, recordedAt: seconds)
    entries.append(entry)
    return entry
  }

  /// Takes back the last line.
  func strike() {
    entries.removeLast()
  }

  /// Starts again from what a store holds.
  func replace(with entries: [LedgerEntry]) {
    self.entries = entries
  }
}
