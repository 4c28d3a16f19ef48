// A unit of work cannot change the state of another domain.
import Mainstay

@MainActor var shownBalance = 0

extension Bank {
  func pay() throws {
    try journal.perform(id: 1, Payment(amount: 5)) { undo in
      shownBalance += 5  // expect: 'shownBalance' can not be mutated from global actor 'BankActor'
      return 1
    }
  }
}
