import Mainstay
import Synchronization
import Testing

@Suite("A journal")
struct JournalTests {
  struct Transfer: Equatable, Sendable {
    var from: Int
    var to: Int
    var amount: Int
  }

  enum Refused: Error { case short }

  /// A rule kept by a global actor, as a domain uses a journal.
  @WalletActor final class Wallet {
    private(set) var balances: [Int]
    let journal = Journal<String, Transfer, Int>()
    private(set) var performed = 0

    nonisolated init(_ balances: [Int]) {
      self.balances = balances
    }

    /// Debits first and checks later, so that failing leaves something to take back.
    @discardableResult
    func transfer(_ id: String, from: Int = 0, to: Int = 1, _ amount: Int) throws -> Int {
      try journal.perform(id: id, Transfer(from: from, to: to, amount: amount)) { undo in
        performed += 1
        undo.set(self, \.balances[from], balances[from] - amount)
        undo.set(self, \.balances[to], balances[to] + amount)
        guard balances[from] >= 0 else { throw Refused.short }
        return balances[from]
      }
    }
  }

  @Test("performs a unit of work and returns its receipt")
  @WalletActor func performs() throws {
    let wallet = Wallet([1_000, 0])
    #expect(try wallet.transfer("a", 800) == 200)
    #expect(wallet.balances == [200, 800])
    #expect(wallet.journal.count == 1)
  }

  @Test("replays the receipt of the same key and request, and does the work once")
  @WalletActor func replays() throws {
    let wallet = Wallet([1_000, 0])
    #expect(try wallet.transfer("a", 300) == 700)
    #expect(try wallet.transfer("b", 300) == 400)
    #expect(try wallet.transfer("a", 300) == 700)
    #expect(wallet.balances == [400, 600])
    #expect(wallet.performed == 2)
  }

  @Test("refuses a key that was used for another request, and changes nothing")
  @WalletActor func reusedKey() throws {
    let wallet = Wallet([1_000, 0])
    try wallet.transfer("a", 300)
    #expect(throws: JournalError.keyReused(key: "a")) { try wallet.transfer("a", 301) }
    #expect(wallet.balances == [700, 300])
  }

  @Test("takes back a failed unit of work in reverse order, rethrows, and leaves its key unused")
  @WalletActor func rollsBack() throws {
    let wallet = Wallet([500, 0])
    #expect(throws: Refused.short) { try wallet.transfer("a", 800) }
    #expect(wallet.balances == [500, 0])
    #expect(wallet.journal.count == 0)
    #expect(try wallet.transfer("a", 400) == 100)
  }

  @Test("runs the steps of a rollback once each, last first, and none after success")
  func stepsInReverse() throws {
    let journal = Journal<Int, Int, Int>()
    var steps: [Int] = []
    #expect(throws: Refused.self) {
      try journal.perform(id: 1, 1) { undo in
        for step in 1...3 { undo.onRollback { steps.append(step) } }
        throw Refused.short
      }
    }
    #expect(steps == [3, 2, 1])
    try journal.perform(id: 2, 2) { undo in
      undo.onRollback { steps.append(99) }
      return 0
    }
    #expect(steps == [3, 2, 1])
  }

  @Test("does not undo a write that threw before it was registered")
  func throwingWrite() throws {
    let journal = Journal<Int, Int, Int>()
    var written = [1]
    func append(_ value: Int) throws {
      guard written.count < 2 else { throw Refused.short }
      written.append(value)
    }
    #expect(throws: Refused.self) {
      try journal.perform(id: 1, 1) { undo in
        for value in 2...3 {
          try append(value)
          undo.onRollback { written.removeLast() }
        }
        return 0
      }
    }
    #expect(written == [1])
  }

  @Test("refuses a unit of work inside another, and the outer one may go on")
  func nested() throws {
    let journal = Journal<Int, Int, Int>()
    try journal.perform(id: 1, 1) { _ in
      #expect(throws: JournalError.nested(key: "2")) { try journal.perform(id: 2, 2) { _ in 2 } }
      #expect(throws: JournalError.nested(key: "1")) { try journal.perform(id: 1, 1) { _ in 1 } }
      return 1
    }
    #expect(try journal.perform(id: 2, 2) { _ in 22 } == 22)
  }

  @Test("a nested call that is not caught rolls the outer unit of work back")
  func nestedUncaught() throws {
    let journal = Journal<Int, Int, Int>()
    var value = 0
    #expect(throws: JournalError.self) {
      try journal.perform(id: 1, 1) { undo in
        value = 1
        undo.onRollback { value = 0 }
        return try journal.perform(id: 2, 2) { _ in 2 }
      }
    }
    #expect(value == 0)
    #expect(journal.count == 0)
  }

  @Test("a second journal may be used inside a unit of work of the first")
  func twoJournals() throws {
    let outer = Journal<Int, Int, Int>()
    let inner = Journal<Int, Int, Int>()
    #expect(try outer.perform(id: 1, 1) { _ in try inner.perform(id: 1, 1) { _ in 5 } } == 5)
  }

  @Test("serves a global actor, an actor, the main actor, a mutex and a plain function")
  func everyDomain() async throws {
    let wallet = Wallet([10, 0])
    #expect(try await wallet.transfer("a", 4) == 6)
    #expect(try await Till().pay("a", 4) == 4)
    #expect(try await Cart().add("a", 4) == 4)
    let guarded = Mutex(Ledger())
    #expect(try guarded.withLock { try $0.book("a", 4) } == 4)
    #expect(try Journal<Int, Int, Int>().perform(id: 1, 1) { _ in 3 } == 3)
  }

  @Test("keeps the sum when many tasks transfer, fail and retry at once")
  func invariant() async throws {
    let wallet = Wallet(Array(repeating: 1_000, count: 8))
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          var generator = Seeded(UInt64(task))
          for index in 0..<500 {
            let from = Int.random(in: 0..<8, using: &generator)
            let to = Int.random(in: 0..<8, using: &generator)
            let amount = Int.random(in: 1...900, using: &generator)
            guard from != to else { continue }
            for _ in 0..<2 { _ = try? await wallet.transfer("\(task)-\(index)", from: from, to: to, amount) }
          }
        }
      }
    }
    let balances = await wallet.balances
    #expect(balances.reduce(0, +) == 8_000)
    #expect(balances.allSatisfy { $0 >= 0 })
  }

  @Test("with the in-memory store everything is committed at once")
  @WalletActor func committedInMemory() async throws {
    let wallet = Wallet([1_000, 0])
    try wallet.transfer("a", 300)
    #expect(wallet.journal.uncommitted == 0)
    #expect(try await wallet.journal.committed("a") == 700)
    try await wallet.journal.flush()
    await #expect(throws: JournalError.unknownKey(key: "b")) { try await wallet.journal.committed("b") }
  }
}

@globalActor actor WalletActor {
  static let shared = WalletActor()
}

private actor Till {
  private let journal = Journal<String, Int, Int>()
  private var cash = 0

  func pay(_ id: String, _ amount: Int) throws -> Int {
    try journal.perform(id: id, amount) { undo in
      cash += amount
      undo.onRollback { self.cash -= amount }
      return cash
    }
  }
}

@MainActor private final class Cart {
  private let journal = Journal<String, Int, Int>()
  private var sum = 0

  func add(_ id: String, _ amount: Int) throws -> Int {
    try journal.perform(id: id, amount) { undo in
      undo.set(self, \.sum, sum + amount)
      return sum
    }
  }
}

private final class Ledger {
  private let journal = Journal<String, Int, Int>()
  private var sum = 0

  func book(_ id: String, _ amount: Int) throws -> Int {
    try journal.perform(id: id, amount) { undo in
      undo.set(self, \.sum, sum + amount)
      return sum
    }
  }
}
