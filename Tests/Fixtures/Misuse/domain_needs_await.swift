// 4.4: from outside, the domain's functions need an await, in another module as well.
import Mainstay

extension Bank {
  func balance() -> Int { cash }
}

func read(_ bank: Bank) -> Int {
  bank.balance()  // expect: 'balance()' in a synchronous nonisolated context
}

@MainActor func readFromMain(_ bank: Bank) async -> Int {
  bank.balance()  // expect: 'balance()' cannot be called from outside of the actor
}
