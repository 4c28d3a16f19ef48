/// MISTAKE: several steps that can fail, one after the other, and no way back. A global actor is no transaction.
import WalletKit

/// Loses what it took when the second step fails.
@WalletActor
public final class UnprotectedWallet {
  private var balances: [AccountID: Int64]
  private var largest: Int64

  public init(_ balances: [AccountID: Int64], largest: Int64) {
    self.balances = balances
    self.largest = largest
  }

  public var total: Int64 { balances.values.reduce(0, +) }

  public func transfer(_ amount: Int64, from sender: AccountID, to recipient: AccountID) throws {
    try debit(amount, from: sender)
    try credit(amount, to: recipient)
  }

  private func debit(_ amount: Int64, from account: AccountID) throws {
    guard let balance = balances[account], balance >= amount else { throw Refused() }
    balances[account] = balance - amount
  }

  private func credit(_ amount: Int64, to account: AccountID) throws {
    guard let balance = balances[account], balance + amount <= largest else { throw Refused() }
    balances[account] = balance + amount
  }
}
