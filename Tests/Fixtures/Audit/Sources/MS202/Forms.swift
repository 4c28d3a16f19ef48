/// The forms of a decision that another visit acts on.
import Elsewhere

/// A cache that is asked, then filled.
actor Memory {
  var values: [String: Int] = [:]
  var isOpen = false
  func value(_ key: String) -> Int? { values[key] }
  func set(_ key: String, _ value: Int) { values[key] = value }
  func open() { isOpen = true }
}

func compute(_ key: String) async -> Int { key.count }

func cached(_ key: String, _ memory: Memory) async -> Int {
  if let known = await memory.value(key) { return known }
  let fresh = await compute(key)
  await memory.set(key, fresh)  // expect: split_check
  return fresh
}

/// With a negation, a variable between, and a switch.
func openOnce(_ memory: Memory) async {
  let isOpen = await memory.isOpen
  if !isOpen {
    await memory.open()  // expect: split_check
  }
}

func byState(_ memory: Memory) async {
  switch await memory.isOpen {
  case true: break
  case false: await memory.open()  // expect: split_check
  }
}

/// A global actor, from the main actor, through a member.
@MainActor
final class Shop {
  let book = Book()
  func buy(_ amount: Int) async {
    guard await book.has(amount) else { return }
    await book.take(amount)  // expect: split_check
  }
}

/// An actor of another module, through its property.
func limited(_ counter: Counter) async {
  if await counter.value < 10 {
    await counter.add(1)  // expect: split_check
  }
}

/// Through a protocol and a generic parameter.
protocol Till: Actor {
  func sum() -> Int
  func pay(_ amount: Int)
}
actor DrawerTill: Till {
  var amount = 0
  func sum() -> Int { amount }
  func pay(_ paid: Int) { amount -= paid }
}
func refund(_ till: any Till, _ amount: Int) async {
  guard await till.sum() >= amount else { return }
  await till.pay(amount)  // expect: split_check
}
func refundGeneric<T: Till>(_ till: T, _ amount: Int) async {
  guard await till.sum() >= amount else { return }
  await till.pay(amount)  // expect: split_check
}

/// The question in an async helper of the same type.
actor Teller {
  let drawer: DrawerTill
  init(drawer: DrawerTill) { self.drawer = drawer }
  private func covers(_ amount: Int) async -> Bool { await drawer.sum() >= amount }
  func pay(_ amount: Int) async {
    guard await covers(amount) else { return }
    await drawer.pay(amount)  // expect: split_check
  }
}

/// In a task's closure, and in a loop.
func start(_ memory: Memory) {
  Task {
    if await !memory.isOpen { await memory.open() }  // expect: split_check
  }
}

func takeAll(_ counter: Counter) async {
  while await counter.value > 0 {
    _ = await compute("")
    await counter.add(-1)  // expect: split_check
  }
}
