// Synchronous code outside the domain cannot reach the journal.
import Mainstay

func pay(_ bank: Bank) throws {
  try bank.journal.perform(id: 1, Payment(amount: 5)) { _ in 1 }  // expect: property 'journal' can not be referenced from a nonisolated context
}
