/// A decision from one visit to an actor, acted on in another.
struct Insufficient: Error {}

actor BalanceStore {
  var balances: [String: Int] = [:]
  func available(_ account: String) -> Int { balances[account] ?? 0 }
  func debit(_ amount: Int, from account: String) throws { balances[account, default: 0] -= amount }
  func credit(_ amount: Int, to account: String) { balances[account, default: 0] += amount }
}

/// Separate actors walk between rooms.
actor TransferService {
  let store: BalanceStore
  init(store: BalanceStore) { self.store = store }

  func transfer(_ amount: Int, from sender: String, to recipient: String) async throws {
    let balance = await store.available(sender)
    guard balance >= amount else { throw Insufficient() }
    try await store.debit(amount, from: sender)  // expect: split_check
    await store.credit(amount, to: recipient)
  }
}

/// From a function that belongs to nobody, with the check in the condition.
func withdraw(_ amount: Int, from store: BalanceStore) async throws {
  if await store.available("me") >= amount {
    try await store.debit(amount, from: "me")  // expect: split_check
  }
}

/// Through a property.
actor Slots {
  var free = 3
  func takeOne() { free -= 1 }
  func set(_ value: Int) { free = value }
}

func reserve(_ slots: Slots) async -> Bool {
  guard await slots.free > 0 else { return false }
  await slots.takeOne()  // expect: split_check
  return true
}

/// Read, compute, write back.
func decrement(_ slots: Slots) async {
  let count = await slots.free
  await slots.set(count - 1)  // expect: split_check
}

/// A global actor, visited from outside.
@MainActor
final class Session {
  var token: String?
  func start(_ token: String) { self.token = token }
}

func begin(_ session: Session) async {
  if await session.token == nil {
    await session.start("new")  // expect: split_check
  }
}
