// Nor can asynchronous code: the journal itself must not leave the domain.
import Mainstay

func pay(_ bank: Bank) async throws {
  try await bank.journal.perform(id: 1, Payment(amount: 5)) { _ in 1 }  // expect: property 'journal' cannot exit global actor 'BankActor'-isolated context
}
