/// How much is on each account.

/// The balances. None is ever below zero.
@WalletActor
public final class BalanceStore {
  private var balances: [AccountID: Money] = [:]
  private let rules: TransferRules

  public init(rules: TransferRules = TransferRules()) {
    self.rules = rules
  }

  /// - Throws: `WalletError.unknownAccount`.
  public func availableBalance(for account: AccountID) throws(WalletError) -> Money {
    guard let balance = balances[account] else { throw .unknownAccount(account) }
    return balance
  }

  /// Every account by name.
  public var accounts: [AccountBalance] {
    balances.map { AccountBalance($0.key, $0.value) }.sorted { $0.account < $1.account }
  }

  func open(_ account: AccountID, in currency: Currency) throws(WalletError) {
    if let existing = balances[account] { throw .accountExists(account, existing.currency) }
    balances[account] = .zero(currency)
  }

  /// Takes back ``open(_:in:)``.
  func close(_ account: AccountID) {
    balances[account] = nil
  }

  @discardableResult
  public func debit(_ amount: Money, from account: AccountID) throws(WalletError) -> BalanceChange {
    let before = try availableBalance(for: account)
    let left = try rules.debit(amount, from: account, with: before)
    balances[account] = left
    return BalanceChange(account: account, before: before, after: left)
  }

  @discardableResult
  public func credit(_ amount: Money, to account: AccountID) throws(WalletError) -> BalanceChange {
    let before = try availableBalance(for: account)
    let sum = try rules.credit(amount, to: account, with: before)
    balances[account] = sum
    return BalanceChange(account: account, before: before, after: sum)
  }

  /// Takes back a debit or credit: the balance is again what it was before.
  func takeBack(_ change: BalanceChange) {
    balances[change.account] = change.before
  }

  /// Puts the same on each of these accounts.
  package func start(_ accounts: [AccountID], with balance: Money) {
    for account in accounts { balances[account] = balance }
  }

  /// Starts again from what a ledger says.
  func replace(with accounts: [AccountID: Money]) {
    balances = accounts
  }
}

/// What a debit or credit has done to a balance.
public struct BalanceChange: Sendable, Hashable {
  public let account: AccountID
  public let before: Money
  public let after: Money
}
