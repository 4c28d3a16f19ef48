// The journal used as it is meant: in its domain, without suspension, awaited by receipt.
import Mainstay

extension Bank {
  func pay(_ id: Int, _ amount: Int) async throws -> Int {
    try journal.perform(id: id, Payment(amount: amount)) { undo in
      undo.set(self, \.cash, cash - amount)
      return cash
    }
    return try await journal.committed(id)
  }
}

@MainActor func payFromMain(_ bank: Bank) async throws -> Int {
  try await bank.pay(1, 5)
}
