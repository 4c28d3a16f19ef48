// The undo cannot be moved out of the unit of work.
import Mainstay

extension Bank {
  func pay() throws {
    var kept: Undo?
    try journal.perform(id: 1, Payment(amount: 5)) { undo in
      kept = undo  // expect: implicit conversion to 'Undo?' is consuming
      return 1
    }
    _ = kept != nil
  }
}
