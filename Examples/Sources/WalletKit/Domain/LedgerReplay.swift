/// Every balance, calculated anew from the ledger.

/// Replays a ledger, line by line, and holds each line to the rules.
public struct LedgerReplay: Sendable {
  public private(set) var balances: [AccountID: Money] = [:]
  public private(set) var entries = 0
  /// What was paid in, by currency: transfers do not change it.
  public private(set) var paidIn: [Currency: Int64] = [:]
  private var keys: Set<TransferKey> = []
  private var last: Int64 = 0
  private let rules = TransferRules(largestAmount: .max)

  public init() {}

  /// Replays the next line.
  ///
  /// - Throws: `LedgerDamage`, if the line cannot follow those before it.
  public mutating func replay(_ entry: LedgerEntry) throws(LedgerDamage) {
    guard entry.number > last else { throw damage(entry, "it follows line \(last)") }
    guard keys.insert(entry.key).inserted else { throw damage(entry, "its key occurs twice") }
    do {
      let balance = try apply(entry.request)
      guard balance == entry.balance else { throw damage(entry, "it says \(entry.balance), and its past \(balance)") }
    } catch let error as WalletError {
      throw damage(entry, error.description)
    } catch let error as LedgerDamage {
      throw error
    } catch {
      throw damage(entry, "\(error)")
    }
    last = entry.number
    entries += 1
  }

  private mutating func apply(_ request: WalletRequest) throws -> Money {
    switch request {
    case .open(let account, let currency):
      if let existing = balances[account] { throw WalletError.accountExists(account, existing.currency) }
      balances[account] = .zero(currency)
      return .zero(currency)
    case .deposit(let amount, let account):
      try rules.check(amount)
      let sum = try rules.credit(amount, to: account, with: balance(of: account))
      balances[account] = sum
      paidIn[amount.currency, default: 0] &+= amount.minorUnits
      return sum
    case .transfer(let transfer):
      try rules.check(transfer)
      let left = try rules.debit(transfer.amount, from: transfer.sender, with: balance(of: transfer.sender))
      let sum = try rules.credit(transfer.amount, to: transfer.recipient, with: balance(of: transfer.recipient))
      balances[transfer.sender] = left
      balances[transfer.recipient] = sum
      return left
    }
  }

  private func balance(of account: AccountID) throws(WalletError) -> Money {
    guard let balance = balances[account] else { throw .unknownAccount(account) }
    return balance
  }

  private func damage(_ entry: LedgerEntry, _ reason: String) -> LedgerDamage {
    LedgerDamage(line: entry.number, key: entry.key.name, reason: reason)
  }

  /// Compares the replayed balances with those that a store keeps, and every sum with what was paid in.
  public func audit(against stored: [AccountBalance]) -> LedgerAudit {
    var discrepancies: [String] = []
    var kept: [AccountID: Money] = [:]
    for line in stored {
      kept[line.account] = line.balance
      if line.balance.minorUnits < 0 { discrepancies.append("\(line.account) is below zero: \(line.balance)") }
    }
    for account in Set(balances.keys).union(kept.keys).sorted() where balances[account] != kept[account] {
      let (replayed, stored) = (balances[account].map { "\($0)" }, kept[account].map { "\($0)" })
      discrepancies.append("\(account) has \(stored ?? "no balance"), and \(replayed ?? "nothing") by the ledger")
    }
    var sums: [Currency: Int64] = [:]
    for balance in kept.values { sums[balance.currency, default: 0] &+= balance.minorUnits }
    for (currency, sum) in sums.sorted(by: { $0.key.code < $1.key.code }) where sum != paidIn[currency, default: 0] {
      let (total, paid) = (Money(minorUnits: sum, currency), Money(minorUnits: paidIn[currency, default: 0], currency))
      discrepancies.append("the accounts hold \(total), and \(paid) was paid in")
    }
    return LedgerAudit(
      entries: entries, accounts: kept.count,
      totals: sums.map { Money(minorUnits: $0.value, $0.key) }.sorted { $0.currency.code < $1.currency.code },
      discrepancies: discrepancies)
  }
}

/// A line of a ledger that cannot be.
public struct LedgerDamage: Error, Sendable, Equatable, CustomStringConvertible {
  public let line: Int64
  public let key: String
  public let reason: String

  public init(line: Int64, key: String, reason: String) {
    self.line = line
    self.key = key
    self.reason = reason
  }

  public var description: String {
    "line \(line) of the ledger (\(key)) cannot be: \(reason); restore the wallet from a copy"
  }
}

/// What a replay of the ledger found.
public struct LedgerAudit: Sendable, Equatable {
  public let entries: Int
  public let accounts: Int
  /// What all accounts hold, a line for each currency.
  public let totals: [Money]
  /// What does not agree; empty when all is well.
  public let discrepancies: [String]

  public init(entries: Int, accounts: Int, totals: [Money], discrepancies: [String]) {
    self.entries = entries
    self.accounts = accounts
    self.totals = totals
    self.discrepancies = discrepancies
  }
}
