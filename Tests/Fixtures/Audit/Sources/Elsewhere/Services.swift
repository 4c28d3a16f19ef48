/// Public actors, protocols, classes and helpers that the other fixtures meet across a module's border.
import Foundation

public actor Counter {
  public private(set) var value = 0
  public init() {}
  public func add(_ amount: Int) { value += amount }
  public func current() -> Int { value }
}

@MainActor
open class Screen {
  public var title = ""
  public init() {}
  open func refresh() {}
}

@MainActor
public protocol Presenting {
  func present(_ url: URL)
}

public protocol Reading {
  func read(_ url: URL) -> Data?
}

/// Runs its closure at once.
public func timed<T>(_ body: () throws -> T) rethrows -> T { try body() }

/// Generic over what it decodes.
public func decoded<T: Decodable>(_ type: T.Type, from data: Data) -> T? {
  try? JSONDecoder().decode(type, from: data)  // expect: main_actor_blocking
}

@globalActor
public actor Ledger {
  public static let shared = Ledger()
}

@Ledger
public final class Book {
  public var lines: [String] = []
  public var balance = 0
  nonisolated public init() {}
  public func has(_ amount: Int) -> Bool { balance >= amount }
  public func take(_ amount: Int) { balance -= amount }
}

public protocol Approving: Sendable { func approve(_ amount: Int) async throws }

/// Seats that were shown as free are free when they are taken.
@globalActor public actor SeatActor { public static let shared = SeatActor() }

@SeatActor public final class Seats {
  var plan = SeatPlan()
  public init() {}
}
@SeatActor public final class SeatPlan {
  var free = 3
  public init() {}
}
