/// Two changes that can fail, and half of them done when the second does.
enum Refused: Error { case because }

/// Money leaves one account and reaches another in one step.
@globalActor actor TillActor { static let shared = TillActor() }

@TillActor
final class Account {
  private(set) var balance = 0
  func debit(_ amount: Int) throws {
    guard balance >= amount else { throw Refused.because }
    balance -= amount
  }
  func credit(_ amount: Int) throws {
    guard amount > 0 else { throw Refused.because }
    balance += amount
  }
}

@TillActor
final class Till {
  private let left = Account()
  private let right = Account()

  func move(_ amount: Int) throws {
    try left.debit(amount)
    try right.credit(amount)  // expect: unprotected_sequence note
  }
}
