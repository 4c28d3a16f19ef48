// A task started inside a unit of work cannot register steps: it runs when the unit is over.
import Mainstay

extension Bank {
  func pay() throws {
    try journal.perform(id: 1, Payment(amount: 5)) { undo in
      Task { undo.onRollback {} }  // expect: escaping closure captures 'inout' parameter 'undo'
      return 1
    }
  }
}
