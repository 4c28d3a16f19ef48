/// The forms of a check that is out of date: who tests, what lies between, and how the state is written.
import Elsewhere
import Foundation
import SwiftUI

func approve(_ amount: Int) async throws { await Task.yield() }

/// A computed property tests, a switch decides.
actor Stock {
  enum State { case open, closed }
  var items: [String] = []
  var state = State.open
  var reserved = 0
  var isEmpty: Bool { items.isEmpty }

  func take() async throws -> String? {
    if isEmpty { return nil }
    try await approve(1)
    return items.removeLast()  // expect: check_then_act
  }

  func reserve() async throws {
    switch state {
    case .open:
      try await approve(1)
      reserved += 1
    case .closed: return
    }
  }

  /// With the test in a variable.
  func later() async throws {
    let canTake = !items.isEmpty
    try await approve(1)
    if canTake { items.removeFirst() }  // expect: check_then_act
  }

  /// Across a sleep, a continuation, a child task, the elements of a sequence.
  func afterSleep() async throws {
    guard reserved < 10 else { return }
    try await Task.sleep(for: .milliseconds(1))
    reserved += 1  // expect: check_then_act
  }

  func afterContinuation() async {
    guard items.count < 3 else { return }
    await withCheckedContinuation { $0.resume() }
    items.append("x")  // expect: check_then_act
  }

  func afterChild() async throws {
    guard reserved > 0 else { return }
    async let approval: Void = approve(1)
    try await approval
    reserved -= 1  // expect: check_then_act
  }

  func collect(_ names: AsyncStream<String>) async {
    guard items.count < 3 else { return }
    for await name in names {
      items.append(name)  // expect: check_then_act
    }
  }

  /// Read before, written back after, in one expression.
  func measure() async -> Int { 1 }
  func addMeasured() async {
    reserved = reserved + (await measure())  // expect: check_then_act
  }
}

/// A session that two callers make at once.
actor Connection {
  final class Session: Sendable {}
  var session: Session?
  func connect() async -> Session { Session() }

  func open() async -> Session {
    if let session { return session }
    let fresh = await connect()
    session = fresh  // expect: check_then_act
    return fresh
  }

  var token: String?
  func valid() async -> String {
    if token == nil { token = await fetch() }  // expect: check_then_act
    return token ?? ""
  }
  func fetch() async -> String { "" }
}

/// The write stands in an async function of the same actor, and the check in its caller.
actor Teller {
  var balance = 5
  func pay(_ amount: Int) async throws {
    guard balance >= amount else { return }
    try await approve(amount)
    await book(amount)  // expect: check_then_act
  }
  private func book(_ amount: Int) async { balance -= amount }

  /// And the other way round: await and write in the callee.
  func buy(_ amount: Int) async throws {
    guard balance >= amount else { return }
    try await approveAndBook(amount)  // expect: check_then_act
  }
  private func approveAndBook(_ amount: Int) async throws {
    try await approve(amount)
    balance -= amount
  }

  /// In a nested function and a closure that runs at once.
  func nested(_ amount: Int) async throws {
    func enough() -> Bool { balance >= amount }
    guard enough() else { return }
    try await approve(amount)
    [amount].forEach { balance -= $0 }  // expect: check_then_act
  }

  /// A test in an async function of the same actor.
  private func covers(_ amount: Int) async -> Bool { balance >= amount }
  func payAsked(_ amount: Int) async throws {
    guard await covers(amount) else { return }
    try await approve(amount)
    balance -= amount  // expect: check_then_act
  }
}

/// An extension of another module's actor class, and a function isolated to a parameter.
extension Book {
  func pay(_ amount: Int, by approver: any Approving) async throws {
    guard has(amount) else { return }
    try await approver.approve(amount)
    take(amount)  // expect: check_then_act
  }
}

func pay(_ account: isolated Account, _ amount: Int) async throws {
  guard account.balance >= amount else { return }
  try await approve(amount)
  account.balance -= amount  // expect: check_then_act
}

/// Generic, and through a protocol of actors.
protocol Purse: Actor { var coins: Int { get set } }
extension Purse {
  func spend(_ amount: Int) async throws {
    guard coins >= amount else { return }
    try await approve(amount)
    coins -= amount  // expect: check_then_act
  }
}

actor Shelf<Key: Hashable & Sendable, Value: Sendable> {
  var values: [Key: Value] = [:]
  let make: @Sendable (Key) async -> Value
  init(make: @escaping @Sendable (Key) async -> Value) { self.make = make }
  func value(_ key: Key) async -> Value {
    if let value = values[key] { return value }
    let value = await make(key)
    values[key] = value  // expect: check_then_act
    return value
  }
}

/// Static state of the main actor, and a structure's field.
@MainActor
enum Limits {
  struct Quota { var left = 3 }
  static var quota = Quota()
  static func use() async throws {
    guard quota.left > 0 else { return }
    try await approve(1)
    quota.left -= 1  // expect: check_then_act
  }
}

/// In a loop whose condition was true before the await.
actor Pump {
  var pumped = 0
  func step() async {}
  func run() async {
    while pumped < 10 {
      await step()
      pumped += 1  // expect: check_then_act
    }
  }
}

/// A position that was found before the await.
actor Board {
  var rows: [[Int]] = []
  func render(_ row: [Int]) async -> [Int] { row }
  func refresh(_ position: Int) async {
    guard rows.indices.contains(position) else { return }
    rows[position] = await render(rows[position])  // expect: check_then_act
  }
  func last() async {
    let index = rows.count - 1
    await Task.yield()
    rows.remove(at: index)  // expect: check_then_act
  }
}

/// No clock: nobody stops the other one.
actor Counting {
  var index = 0

  func run() async throws {
    while index < 100 {
      let current = index
      try await Task.sleep(nanoseconds: 100_000_000)
      index = current + 1  // expect: check_then_act
    }
  }
}

/// Every row's `.task` asks the model that they share.
@MainActor
final class SharedRiddles {
  var question: String?
  let service: any Riddles
  init(service: any Riddles) { self.service = service }

  func prepare() async {
    guard question == nil else { return }
    do {
      question = try await service.riddle()  // expect: check_then_act
    } catch {}
  }
}

struct RiddleRow: View {
  let model: SharedRiddles
  var body: some View {
    Text(model.question ?? "")
      .task { await model.prepare() }
  }
}

/// A button may do so meanwhile.
struct Quiz: View {
  @State var question: String?
  let service: any Riddles

  var body: some View {
    Button("Next") { question = nil }
      .task { await prepare() }
  }

  private func prepare() async {
    guard question == nil else { return }
    do {
      question = try await service.riddle()  // expect: check_then_act
    } catch {}
  }
}

/// What an awaited helper changes keeps nobody out.
actor Channels {
  var open: [Int: Set<Int>] = [:]
  func leave(_ id: Int) async {}

  private func close(_ id: Int, of owner: Int) async {
    open[owner]?.remove(id)
    await leave(id)
  }

  func closeAll(of owner: Int) async {
    for id in Array(open[owner] ?? []) { await close(id, of: owner) }
    await leave(owner)
    open.removeValue(forKey: owner)  // expect: check_then_act
  }
}
