/// MISTAKE: one domain, and an await between the check and the debit. While it waits, others check the same balance.
import WalletKit

/// Asks the fraud check in the middle of its transfer.
@WalletActor
public final class AwaitInsideWallet {
  private var balances: [AccountID: Int64]
  private let fraud: any FraudChecker

  public init(_ balances: [AccountID: Int64], fraud: any FraudChecker) {
    self.balances = balances
    self.fraud = fraud
  }

  public func balance(of account: AccountID) -> Int64 { balances[account, default: 0] }

  public func transfer(_ amount: Int64, from sender: AccountID, to recipient: AccountID) async throws {
    guard balances[sender, default: 0] >= amount else { throw Refused() }
    let transfer = Transfer(Money(minorUnits: amount, .dollar), from: sender, to: recipient)
    guard try await fraud.examine(transfer) == .approved else { throw Refused() }
    balances[sender, default: 0] -= amount
    balances[recipient, default: 0] += amount
  }
}
