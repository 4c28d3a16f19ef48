/// The same forms, repaired.
import Elsewhere
import Foundation

actor SafeStock {
  enum State { case open, closing, closed }
  var items: [String] = []
  var state = State.open
  var reserved = 0
  var waiting: [String: Task<Int, any Error>] = [:]
  func measure() async -> Int { 1 }

  /// The await first.
  func take() async throws -> String? {
    try await approve(1)
    return items.popLast()
  }

  /// The state is changed before the await, and again to its end.
  func close() async throws {
    guard state == .open else { return }
    state = .closing
    try await approve(1)
    state = .closed
  }

  /// Awaited first, then read and written in one expression.
  func add() async { reserved += await measure() }
  func addSafely() async {
    let amount = await measure()
    reserved = reserved + amount
  }

  /// A loop that tests again in each turn what it then changes.
  func drain() async throws {
    while true {
      try await approve(1)
      guard !items.isEmpty else { return }
      items.removeLast()
    }
  }

  /// One task for all who ask.
  func shared(_ key: String) async throws -> Int {
    if let task = waiting[key] { return try await task.value }
    let task = Task { await self.measure() as Int }
    let throwing = Task<Int, any Error> { try await task.result.get() }
    waiting[key] = throwing
    defer { waiting[key] = nil }
    return try await throwing.value
  }

  /// Nothing that was tested is changed.
  func count(_ name: String) async throws {
    guard state == .open else { return }
    try await approve(1)
    reserved += 1
  }

  /// Tested, and then only read.
  func describe() async throws -> Int {
    guard reserved > 0 else { return 0 }
    try await approve(1)
    return reserved
  }

  /// Whoever comes second sees that the first one is there.
  var isRefreshing = false
  func refresh() async {
    if isRefreshing { return }
    isRefreshing = true
    let value = await measure()
    reserved = value
    isRefreshing = false
  }

  /// Checked in the async function that writes.
  func pay() async throws {
    guard reserved > 0 else { return }
    try await approve(1)
    await book()
  }
  private func book() async {
    guard reserved > 0 else { return }
    reserved -= 1
  }

  /// Set if nobody did in the meantime.
  func fill() async {
    guard items.isEmpty else { return }
    let found = ["\(await measure())"]
    if items.isEmpty { items = found }
  }
}

/// The call that decides changes the state in the same step.
actor Turns {
  struct Machine {
    var step = 0
    mutating func begin() -> Bool {
      step += 1
      return step == 1
    }
    mutating func end(_ value: Int) { step -= value }
  }
  var machine = Machine()
  var queue: [Int] = []
  func work() async -> Int { 1 }

  func turn() async {
    guard machine.begin() else { return }
    let value = await work()
    machine.end(value)
  }

  func retry() async {
    guard let first = queue.popLast() else { return }
    queue.append(first + (await work()))
  }
}
