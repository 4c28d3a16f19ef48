// A detached task has left the domain.
import Mainstay

extension Bank {
  func pay() {
    Task.detached {
      try self.journal.perform(id: 1, Payment(amount: 5)) { _ in 1 }  // expect: property 'journal' cannot exit global actor 'BankActor'-isolated context  // expect: property 'journal' cannot be accessed from outside of the actor
    }
  }
}
