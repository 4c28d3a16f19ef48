/// Why a wallet refuses.

/// What a wallet throws, wherever it keeps its accounts. When it throws, nothing has changed.
public enum WalletError: Error, Sendable, Equatable {
  case notAnAccountName(String)
  case notAKey(String)
  case unknownAccount(AccountID)
  case accountExists(AccountID, Currency)
  case amountNotPositive(Money)
  case amountTooLarge(Money, largest: Money)
  case sameAccount(AccountID)
  /// The account is kept in another currency.
  case otherCurrency(Money, account: AccountID, Currency)
  case insufficientFunds(AccountID, available: Money, needed: Money)
  /// The recipient's balance would not fit.
  case overflow(AccountID, Money)
  /// The key belongs to another request.
  case keyReused(TransferKey)
  /// The fraud check said no.
  case notApproved(TransferKey, reason: String)
  /// The fraud check said nothing in the time of the call.
  case checkUnanswered(TransferKey)
  case approvalExpired(TransferKey, milliseconds: Int64)
  /// The approval is for another transfer, or from another desk.
  case approvalForeign(TransferKey, reason: String)
  /// A commit failed, so that memory is ahead of the store.
  case poisoned(cause: String)
  /// The wallet is being read from its store.
  case reloading
  /// Other transactions were in the way every time.
  case contended(TransferKey, attempts: Int)
}

extension WalletError: CustomStringConvertible {
  /// What happened and what to do next.
  public var description: String {
    switch self {
    case .notAnAccountName(let name):
      "\"\(name)\" cannot name an account; use 1 to 64 letters, digits, points, hyphens or underscores"
    case .notAKey(let name):
      "\"\(name)\" cannot be a key; use 1 to 64 letters, digits, points, hyphens or underscores"
    case .unknownAccount(let account):
      "there is no account \(account); open it first"
    case .accountExists(let account, let currency):
      "the account \(account) exists already, in \(currency); use it, or choose another name"
    case .amountNotPositive(let amount):
      "\(amount) cannot be moved; use an amount above zero, and for the other direction exchange the accounts"
    case .amountTooLarge(let amount, let largest):
      "\(amount) is more than one operation may move; split it into parts of at most \(largest)"
    case .sameAccount(let account):
      "\(account) is sender and recipient; choose two accounts"
    case .otherCurrency(let amount, let account, let currency):
      "\(amount) cannot be moved, because \(account) is kept in \(currency); use an amount in \(currency), or an "
        + "account in \(amount.currency)"
    case .insufficientFunds(let account, let available, let needed):
      "\(account) has \(available) and needs \(needed); pay money in or transfer less"
    case .overflow(let account, let amount):
      "\(account) cannot hold \(amount) more; transfer some of its balance to another account first"
    case .keyReused(let key):
      "the key \(key) was used before for another request; a retry repeats its request, and a new request needs a new key"
    case .notApproved(let key, let reason):
      "the fraud check did not approve \(key): \(reason); ask the account's owner before trying with a new key"
    case .checkUnanswered(let key):
      "the fraud check did not answer about \(key) in time, so no money was moved; see that the check's service runs, and "
        + "repeat the transfer with its key"
    case .approvalExpired(let key, let milliseconds):
      "the approval of \(key) expired \(milliseconds) ms ago; have the transfer approved again"
    case .approvalForeign(let key, let reason):
      "the approval does not belong to \(key): \(reason); have this transfer approved at this wallet's desk"
    case .poisoned(let cause):
      "a commit failed (\(cause)), so the wallet's memory is ahead of its store; mend the store, reload the wallet, and "
        + "repeat the request with its key"
    case .reloading:
      "the wallet is being read from its store; repeat the request with its key in a moment"
    case .contended(let key, let attempts):
      "other transactions came before \(key) \(attempts) times; nothing was changed, repeat it with its key in a moment"
    }
  }
}
