/// The failure takes back what was done, or everything is checked first.
@TillActor
final class CarefulTill {
  private let left = Account()
  private let right = Account()

  func move(_ amount: Int) throws {
    try left.debit(amount)
    do { try right.credit(amount) } catch {
      try left.credit(amount)
      throw error
    }
  }

  private var total = 0
  private func add(_ amount: Int) { total += amount }
  func addAll(_ amounts: [Int]) throws {
    guard amounts.allSatisfy({ $0 > 0 }) else { throw Refused.because }
    for amount in amounts { add(amount) }
    try left.credit(1)
  }
}
