/// State that is checked or copied before an await, and changed after it.
import Foundation

struct Refused: Error {}

protocol FraudService: Sendable { func approve(_ amount: Int) async throws }

actor Account {
  var balance = 10
  let fraud: any FraudService
  init(fraud: any FraudService) { self.fraud = fraud }

  func pay(_ amount: Int) async throws {
    guard balance >= amount else { throw Refused() }
    try await fraud.approve(amount)
    balance -= amount  // expect: check_then_act
  }

  func canPay(_ amount: Int) -> Bool { balance >= amount }
  func take(_ amount: Int) { balance -= amount }

  /// Check and change in helpers.
  func payThroughHelpers(_ amount: Int) async throws {
    guard canPay(amount) else { throw Refused() }
    try await fraud.approve(amount)
    take(amount)  // expect: check_then_act
  }
}

/// A cache that two callers fill at once.
actor Cache {
  var entries: [String: Data] = [:]
  func download(_ key: String) async -> Data {
    await Task.yield()
    return Data()
  }

  func data(for key: String) async -> Data {
    if let known = entries[key] { return known }
    let fresh = await download(key)
    entries[key] = fresh  // expect: check_then_act
    return fresh
  }
}

struct Job: Sendable {
  var id: Int
  var isDone = false
}

/// An index found before the await and used after it.
actor Queue {
  var jobs: [Job] = []
  func work(_ job: Job) async { await Task.yield() }

  func finish(_ id: Int) async {
    guard let index = jobs.firstIndex(where: { $0.id == id }) else { return }
    await work(jobs[index])
    jobs[index].isDone = true  // expect: check_then_act
  }
}

/// A snapshot written back.
actor Notebook {
  var pages: [String] = []
  func translate(_ pages: [String]) async -> [String] { pages }

  func save(_ page: String) async {
    var copy = pages
    await Task.yield()
    copy.append(page)
    pages = copy  // expect: check_then_act
  }
}

/// On a global actor, with state in another object that shares it.
@globalActor
actor WalletActor {
  static let shared = WalletActor()
}

@WalletActor
final class BalanceStore {
  var balances: [String: Int] = [:]
  func available(_ account: String) -> Int { balances[account] ?? 0 }
  func debit(_ amount: Int, from account: String) { balances[account, default: 0] -= amount }
}

@WalletActor
final class WalletService {
  let store = BalanceStore()
  let fraud: any FraudService
  init(fraud: any FraudService) { self.fraud = fraud }

  func transfer(_ amount: Int, from sender: String) async throws {
    guard store.available(sender) >= amount else { throw Refused() }
    try await fraud.approve(amount)
    store.debit(amount, from: sender)  // expect: check_then_act
  }
}

/// On the main actor, in a task's closure.
@MainActor
final class Cart {
  var stock = 3
  let fraud: any FraudService
  init(fraud: any FraudService) { self.fraud = fraud }

  func buy() {
    Task {
      if stock > 0 {
        try await fraud.approve(1)
        stock -= 1  // expect: check_then_act
      }
    }
  }
}

/// An early return around the whole.
actor Seats {
  var free = 2
  func confirm() async -> Bool { true }

  func book() async -> Bool {
    if free == 0 { return false }
    guard await confirm() else { return false }
    free -= 1  // expect: check_then_act
    return true
  }
}

/// A queue whose head may be gone after the await.
actor Mailbox {
  var letters: [String] = []
  func deliver(_ letter: String) async {}

  func drain() async {
    while let letter = letters.first {
      await deliver(letter)
      letters.removeFirst()  // expect: check_then_act
    }
  }
}

/// As many tables as there is room for: the key is a new one, the room may be gone.
actor Restaurant {
  var tables: [UUID: String] = [:]
  func prepare(_ guest: String) async {}

  func seat(_ guest: String) async -> Bool {
    guard tables.count < 12 else { return false }
    await prepare(guest)
    tables[UUID()] = guest  // expect: check_then_act
    return true
  }
}

/// What was found before the request failed decides how long the next wait is.
actor Backoffs {
  private var tries = 0
  let service: any Riddles
  init(service: any Riddles) { self.service = service }

  func ask() async -> String? {
    let before = tries
    do { return try await service.riddle() } catch {
      tries = before + 1  // expect: check_then_act
      return nil
    }
  }
}
