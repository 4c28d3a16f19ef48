/// The wallet's decisions, without state: every store asks them, wherever it keeps the balances.

/// What may be done. Pure functions, so that a wallet in memory and a wallet in a database decide alike.
public struct TransferRules: Sendable {
  /// The most that one operation may move, in minor units of any currency.
  public var largestAmount: Int64

  public init(largestAmount: Int64 = 100_000_000_000_000) {
    self.largestAmount = largestAmount
  }

  /// Refuses an amount that makes no sense for any account.
  public func check(_ amount: Money) throws(WalletError) {
    guard amount.minorUnits > 0 else { throw .amountNotPositive(amount) }
    guard amount.minorUnits <= largestAmount else {
      throw .amountTooLarge(amount, largest: Money(minorUnits: largestAmount, amount.currency))
    }
  }

  /// Refuses a transfer that makes no sense whatever the balances are.
  public func check(_ transfer: Transfer) throws(WalletError) {
    try check(transfer.amount)
    guard transfer.sender != transfer.recipient else { throw .sameAccount(transfer.sender) }
  }

  /// What the sender has left; refuses what it has not got.
  public func debit(_ amount: Money, from account: AccountID, with balance: Money) throws(WalletError) -> Money {
    guard amount.currency == balance.currency else {
      throw .otherCurrency(amount, account: account, balance.currency)
    }
    guard balance.minorUnits >= amount.minorUnits else {
      throw .insufficientFunds(account, available: balance, needed: amount)
    }
    return Money(minorUnits: balance.minorUnits - amount.minorUnits, balance.currency)
  }

  /// What the recipient has then; refuses what it cannot hold.
  public func credit(_ amount: Money, to account: AccountID, with balance: Money) throws(WalletError) -> Money {
    guard amount.currency == balance.currency else {
      throw .otherCurrency(amount, account: account, balance.currency)
    }
    let (sum, overflow) = balance.minorUnits.addingReportingOverflow(amount.minorUnits)
    if overflow { throw .overflow(account, amount) }
    return Money(minorUnits: sum, balance.currency)
  }
}
