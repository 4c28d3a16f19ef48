/// State that a helper tests by throwing, changes by what it was lent, or counts down.
import Foundation

actor Lender {
  private var balance = 3
  private var known: [String: Int] = [:]
  func check() async {}

  private func ensure(_ amount: Int) throws { guard balance >= amount else { throw Refused() } }
  private func apply(_ amount: Int) { book(amount) }
  private func book(_ amount: Int) { balance -= amount }
  func pay(_ amount: Int) async throws {
    try ensure(amount)
    await check()
    apply(amount)  // expect: check_then_act
  }

  private nonisolated func take(_ amount: Int, from value: inout Int) { value -= amount }
  func payLent(_ amount: Int) async {
    guard balance >= amount else { return }
    await check()
    take(amount, from: &balance)  // expect: check_then_act
  }

  private func count() { balance -= 1 }
  func payOne() async {
    guard balance > 0 else { return }
    await check()
    count()  // expect: check_then_act
  }

  /// The key went into another set than the one that is asked.
  private var names: Set<String> = []
  func note(_ key: String) async {
    names.insert(key)
    guard known[key] == nil else { return }
    await check()
    known[key] = 1  // expect: check_then_act
  }
}
