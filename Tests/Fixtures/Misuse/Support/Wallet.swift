// What every case is compiled with: a domain that keeps its journal, and values that must not travel.
import Mainstay

@globalActor actor BankActor { static let shared = BankActor() }

struct Payment: Equatable, Sendable { var amount: Int }

@BankActor final class Bank {
  var cash = 100
  let journal = Journal<Int, Payment, Int>()
}

/// An object of another runtime: mutable and not Sendable.
final class ForeignState { var text = "" }

@MainActor final class Screen {
  var text = ""
  var pulse = 1.0
}
