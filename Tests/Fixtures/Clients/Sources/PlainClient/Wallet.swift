/// A domain on its own global actor, with a journal and a store of its own.

import Mainstay

@globalActor public actor WalletActor {
  public static let shared = WalletActor()
}

public struct Transfer: Equatable, Sendable {
  public var amount: Int
}

public enum WalletError: Error { case short }

/// A durable store, as far as this client is concerned.
actor FileStore: JournalStore {
  typealias Entry = JournalEntry<String, Transfer, Int>
  private var entries: [Entry] = []

  func load() async throws -> [Entry] { entries }

  func commit(_ entries: [Entry], forgetting forgotten: [String]) async throws {
    self.entries.removeAll { forgotten.contains($0.key) }
    self.entries += entries
  }
}

@WalletActor public final class Wallet {
  private var balance = 1_000
  private let journal = Journal(store: FileStore(), retention: .latest(100_000))

  public nonisolated init() {}

  public func withdraw(_ id: String, _ amount: Int) async throws -> Int {
    try journal.perform(id: id, Transfer(amount: amount)) { undo in
      undo.set(self, \.balance, balance - amount)
      guard balance >= 0 else { throw WalletError.short }
      return balance
    }
    return try await journal.committed(id)
  }

  public func open() async throws {
    try await journal.reload { entries in balance = entries.last?.receipt ?? 1_000 }
  }
}

public actor Till {
  private let journal = Journal<Int, Int, Int>()
  private var cash = 0

  public func pay(_ id: Int, _ amount: Int) throws -> Int {
    try journal.perform(id: id, amount) { undo in
      cash += amount
      undo.onRollback { self.cash -= amount }
      return cash
    }
  }
}
