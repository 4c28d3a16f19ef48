// A domain cannot hand its journal out.
import Mainstay

extension Bank {
  func give() -> Journal<Int, Payment, Int> { journal }
}

func take(_ bank: Bank) async throws {
  let journal = await bank.give()  // expect: non-Sendable 'Journal<Int, Payment, Int>'-typed result can not be returned
  try journal.perform(id: 1, Payment(amount: 5)) { _ in 1 }
}
