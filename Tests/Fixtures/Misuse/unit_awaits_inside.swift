// A unit of work cannot suspend: other work of the domain would come in between.
import Mainstay

extension Bank {
  func pay() async throws {
    try journal.perform(id: 1, Payment(amount: 5)) { undo in  // expect: async -> Int' to parameter expecting synchronous function type
      await Task.yield()
      return 1
    }
  }
}
