// The undo of a unit of work cannot be kept by a closure that outlives it.
import Mainstay

extension Bank {
  func pay(later: (@escaping () -> Void) -> Void) throws {
    try journal.perform(id: 1, Payment(amount: 5)) { undo in
      later { undo.onRollback {} }  // expect: escaping closure captures 'inout' parameter 'undo'
      return 1
    }
  }
}
