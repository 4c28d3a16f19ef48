/// MISTAKE: an actor for each type of a team. Every call is safe, and the rule between the calls is nobody's.
import WalletKit

/// How much is on each account, in a room of its own.
public actor SeparateBalances {
  private var balances: [AccountID: Int64]

  public init(_ balances: [AccountID: Int64]) { self.balances = balances }

  public func availableBalance(for account: AccountID) -> Int64 { balances[account, default: 0] }
  public func debit(_ amount: Int64, from account: AccountID) { balances[account, default: 0] -= amount }
  public func credit(_ amount: Int64, to account: AccountID) { balances[account, default: 0] += amount }
}

/// What happened, in another.
public actor SeparateLedger {
  public private(set) var transfers: [Int64] = []

  public init() {}

  public func recordTransfer(_ amount: Int64) { transfers.append(amount) }
}

/// Walks from room to room.
public struct SeparateActorsWallet: Sendable {
  public let balances: SeparateBalances
  public let ledger = SeparateLedger()
  /// What happens between the check and the debit; nothing is needed for the mistake, and with a meeting of two it is
  /// certain.
  private let doorway: (@Sendable () async -> Void)?

  public init(_ balances: [AccountID: Int64], doorway: (@Sendable () async -> Void)? = nil) {
    self.balances = SeparateBalances(balances)
    self.doorway = doorway
  }

  @concurrent
  public func transfer(_ amount: Int64, from sender: AccountID, to recipient: AccountID) async throws {
    let balance = await balances.availableBalance(for: sender)
    guard balance >= amount else { throw Refused() }
    await doorway?()
    await balances.debit(amount, from: sender)
    await balances.credit(amount, to: recipient)
    await ledger.recordTransfer(amount)
  }
}

/// There is not enough on the account.
public struct Refused: Error {
  public init() {}
}
