/// MISTAKE: a task started inside a unit of work. It runs later, and nobody takes it back when the unit fails.
import Mainstay
import WalletKit

/// Tells the recipient before it is certain that there is anything to tell.
@WalletActor
public final class HastyWallet {
  private var balance: Int64
  private let limit: Int64
  private let journal = Journal<TransferKey, Int64, Int64>()
  public private(set) var told: [Int64] = []

  public init(balance: Int64, limit: Int64) {
    self.balance = balance
    self.limit = limit
  }

  public func pay(_ amount: Int64, key: TransferKey) throws -> Int64 {
    try journal.perform(id: key, amount) { undo in
      undo.set(self, \.balance, balance - amount)
      Task { tell(amount) }
      guard amount <= limit, balance >= 0 else { throw Refused() }
      return balance
    }
  }

  private func tell(_ amount: Int64) { told.append(amount) }
}
