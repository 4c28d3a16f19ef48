/// A line of the ledger as the tables of both databases hold it.
import WalletKit

/// The columns of a line: the request is taken apart, and put together again with its names and amounts checked.
struct LedgerRow {
  var number: Int64
  var key: String
  var kind: String
  /// Empty when nobody sent it.
  var sender = ""
  var recipient: String
  var amount: Int64
  var currency: String
  var balance: Int64
  var recordedAt: Int64

  init(_ entry: LedgerEntry) {
    number = entry.number
    key = entry.key.name
    balance = entry.balance.minorUnits
    recordedAt = entry.recordedAt
    switch entry.request {
    case .open(let account, let currency):
      (kind, recipient, amount, self.currency) = ("open", account.name, 0, currency.code)
    case .deposit(let money, let account):
      (kind, recipient, amount, currency) = ("deposit", account.name, money.minorUnits, money.currency.code)
    case .transfer(let transfer):
      (kind, recipient) = ("transfer", transfer.recipient.name)
      (amount, currency) = (transfer.amount.minorUnits, transfer.amount.currency.code)
      sender = transfer.sender.name
    }
  }

  init(
    number: Int64, key: String, kind: String, sender: String, recipient: String, amount: Int64, currency: String,
    balance: Int64, recordedAt: Int64
  ) {
    self.number = number
    self.key = key
    self.kind = kind
    self.sender = sender
    self.recipient = recipient
    self.amount = amount
    self.currency = currency
    self.balance = balance
    self.recordedAt = recordedAt
  }

  /// - Throws: `LedgerDamage`, if the columns do not make a line.
  func entry() throws(LedgerDamage) -> LedgerEntry {
    do {
      let currency = try Currency(code: currency)
      let money = Money(minorUnits: amount, currency)
      let recipient = try AccountID(recipient)
      let request: WalletRequest
      switch kind {
      case "open": request = .open(recipient, currency)
      case "deposit": request = .deposit(money, to: recipient)
      case "transfer": request = .transfer(Transfer(money, from: try AccountID(sender), to: recipient))
      default: throw LedgerDamage(line: number, key: key, reason: "there is no kind \"\(kind)\"")
      }
      return LedgerEntry(
        number: number, key: try TransferKey(key), request: request, balance: Money(minorUnits: balance, currency),
        recordedAt: recordedAt)
    } catch let damage as LedgerDamage {
      throw damage
    } catch {
      throw LedgerDamage(line: number, key: key, reason: "\(error)")
    }
  }
}
