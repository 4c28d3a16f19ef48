/// What `--format json` writes. The README describes it: fields are added, never renamed, or the schema gets a number more.
import Foundation
import WalletKit

/// `wallet.balance/1`.
struct BalanceDocument: Encodable {
  struct Account: Encodable {
    let account: String
    let balance: Decimal
    let balanceMinorUnits: Int64
    let currency: String
  }

  private let schema = "wallet.balance/1"
  let accounts: [Account]

  init(_ balances: [AccountBalance]) {
    accounts = balances.map { line in
      Account(
        account: line.account.name, balance: line.balance.decimal, balanceMinorUnits: line.balance.minorUnits,
        currency: line.balance.currency.code)
    }
  }
}

/// `wallet.ledger/1`.
struct LedgerDocument: Encodable {
  struct Line: Encodable {
    let number: Int64
    let time: String
    let kind: String
    /// Of a transfer.
    var from: String?
    let to: String
    /// Of a transfer or deposit.
    var amount: Decimal?
    var amountMinorUnits: Int64?
    let currency: String
    /// What the sender of a transfer has left, and what the account has otherwise.
    let balance: Decimal
    let balanceMinorUnits: Int64
    let key: String
  }

  private let schema = "wallet.ledger/1"
  let lines: [Line]

  init(_ entries: [LedgerEntry]) { lines = entries.map(Line.init) }
}

extension LedgerDocument.Line {
  init(_ entry: LedgerEntry) {
    let row = LedgerColumns(entry)
    self.init(
      number: entry.number, time: row.time, kind: row.kind, from: row.sender?.name, to: row.recipient.name,
      amount: row.amount?.decimal, amountMinorUnits: row.amount?.minorUnits, currency: entry.balance.currency.code,
      balance: entry.balance.decimal, balanceMinorUnits: entry.balance.minorUnits, key: entry.key.name)
  }
}

/// A line of the ledger, taken apart as all formats show it.
struct LedgerColumns {
  let time: String
  let kind: String
  var sender: AccountID?
  let recipient: AccountID
  var amount: Money?

  init(_ entry: LedgerEntry) {
    time = Date(timeIntervalSince1970: TimeInterval(entry.recordedAt)).formatted(.iso8601)
    switch entry.request {
    case .open(let account, _): (kind, recipient) = ("open", account)
    case .deposit(let money, let account): (kind, recipient, amount) = ("deposit", account, money)
    case .transfer(let transfer):
      (kind, recipient, amount) = ("transfer", transfer.recipient, transfer.amount)
      sender = transfer.sender
    }
  }
}

extension Encodable {
  /// As text, with its fields in the order of the alphabet. A `Decimal` is written digit by digit: nothing is rounded.
  func document() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
