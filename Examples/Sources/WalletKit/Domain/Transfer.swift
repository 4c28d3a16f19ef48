/// What a wallet can be asked to do, and what it answers.

/// Money from one account to another.
public struct Transfer: Sendable, Hashable {
  public var amount: Money
  public var sender: AccountID
  public var recipient: AccountID

  public init(_ amount: Money, from sender: AccountID, to recipient: AccountID) {
    self.amount = amount
    self.sender = sender
    self.recipient = recipient
  }
}

/// One unit of work of a wallet.
public enum WalletRequest: Sendable, Hashable {
  case open(AccountID, Currency)
  case deposit(Money, to: AccountID)
  case transfer(Transfer)
}

/// A line of the ledger, which is also the receipt that the client gets.
public struct LedgerEntry: Sendable, Hashable {
  /// Its place in the ledger, from 1. In a wallet of one process without gaps.
  public let number: Int64
  /// The client's name for it.
  public let key: TransferKey
  public let request: WalletRequest
  /// What the sender has left, or what the account has after it was opened or paid into.
  public let balance: Money
  /// Whole seconds since 1970-01-01 UTC.
  public let recordedAt: Int64

  public init(number: Int64, key: TransferKey, request: WalletRequest, balance: Money, recordedAt: Int64) {
    self.number = number
    self.key = key
    self.request = request
    self.balance = balance
    self.recordedAt = recordedAt
  }
}

/// An account and what is on it.
public struct AccountBalance: Sendable, Hashable {
  public let account: AccountID
  public let balance: Money

  public init(_ account: AccountID, _ balance: Money) {
    self.account = account
    self.balance = balance
  }
}
