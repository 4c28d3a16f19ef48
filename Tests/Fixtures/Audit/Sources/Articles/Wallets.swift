/// The wallet in its three forms: rooms apart, an await in the middle, and the slow part first.
nonisolated struct NotEnough: Error {}

nonisolated protocol FraudChecker: Sendable {
  @concurrent func approve(_ amount: Int) async throws
}

actor SeparateBalances {
  private var balances: [String: Int] = [:]
  func available(_ account: String) -> Int { balances[account] ?? 0 }
  func debit(_ amount: Int, from account: String) { balances[account, default: 0] -= amount }
}

nonisolated func transferBetweenRooms(_ amount: Int, _ store: SeparateBalances, from sender: String) async throws {
  let balance = await store.available(sender)
  guard balance >= amount else { throw NotEnough() }
  await store.debit(amount, from: sender)  // expect: split_check
}

@globalActor
actor WalletActor {
  static let shared = WalletActor()
}

@WalletActor
final class Balances {
  private var balances: [String: Int] = [:]
  nonisolated init() {}
  func available(_ account: String) -> Int { balances[account] ?? 0 }
  func debit(_ amount: Int, from account: String) { balances[account, default: 0] -= amount }
}

@WalletActor
final class Wallet {
  private let balances = Balances()
  private let fraud: any FraudChecker
  init(fraud: any FraudChecker) { self.fraud = fraud }

  func checkedInTheMiddle(_ amount: Int, from sender: String) async throws {
    guard balances.available(sender) >= amount else { throw NotEnough() }
    try await fraud.approve(amount)
    balances.debit(amount, from: sender)  // expect: check_then_act
  }

  func applyApproved(_ amount: Int, from sender: String) throws {
    guard balances.available(sender) >= amount else { throw NotEnough() }
    balances.debit(amount, from: sender)
  }

  nonisolated func slowPartFirst(_ amount: Int, from sender: String, by fraud: any FraudChecker) async throws {
    try await fraud.approve(amount)
    try await applyApproved(amount, from: sender)
  }
}
