/// Repaired forms: what changes the state has looked at it in the same job.
import Foundation
import SwiftUI

actor SafeAccount {
  var balance = 10
  let fraud: any FraudService
  init(fraud: any FraudService) { self.fraud = fraud }

  /// Reserve, await, commit or undo.
  func reserve(_ amount: Int) async throws {
    guard balance >= amount else { throw Refused() }
    balance -= amount
    do { try await fraud.approve(amount) } catch {
      balance += amount
      throw error
    }
  }

  /// The slow part first.
  func slowFirst(_ amount: Int) async throws {
    try await fraud.approve(amount)
    guard balance >= amount else { throw Refused() }
    balance -= amount
  }

  func debit(_ amount: Int) throws {
    guard balance >= amount else { throw Refused() }
    balance -= amount
  }

  /// The helper checks itself.
  func helperChecks(_ amount: Int) async throws {
    guard balance >= amount else { throw Refused() }
    try await fraud.approve(amount)
    try debit(amount)
  }

  /// Checked again.
  func again(_ amount: Int) async throws {
    guard balance >= amount else { throw Refused() }
    try await fraud.approve(amount)
    guard balance >= amount else { throw Refused() }
    balance -= amount
  }
}

/// The table of downloads is filled before the await.
actor SharedCache {
  var entries: [String: Data] = [:]
  var running: [String: Task<Data, Never>] = [:]
  func download(_ key: String) async -> Data { Data() }

  func data(for key: String) async -> Data {
    if let known = entries[key] { return known }
    if let task = running[key] { return await task.value }
    let task = Task { await self.download(key) }
    running[key] = task
    let fresh = await task.value
    running[key] = nil
    entries[key] = fresh
    return fresh
  }
}

/// A flag keeps others out.
actor Syncer {
  var isSyncing = false
  var pending = 3
  func upload() async {}

  func sync() async {
    guard !isSyncing, pending > 0 else { return }
    isSyncing = true
    defer { isSyncing = false }
    await upload()
    pending -= 1
  }
}

/// The index is found anew.
actor SafeQueue {
  var jobs: [Job] = []
  func work(_ job: Job) async {}

  func finish(_ id: Int) async {
    guard let job = jobs.first(where: { $0.id == id }) else { return }
    await work(job)
    guard let index = jobs.firstIndex(where: { $0.id == id }) else { return }
    jobs[index].isDone = true
  }
}

/// A lock that is held across awaits, recognised by its shape.
actor AsyncLock {
  private var isHeld = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func withLock<T: Sendable>(_ body: @Sendable () async throws -> T) async rethrows -> T {
    while isHeld { await withCheckedContinuation { waiting.append($0) } }
    isHeld = true
    defer {
      isHeld = false
      if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
    return try await body()
  }
}

enum Phase { case running, stopping, stopped }

actor Container {
  var phase = Phase.running
  var restarts = 0
  let lock = AsyncLock()
  func grace() async {}

  func stop() async { await lock.withLock { await self.stopAlone() } }

  private func stopAlone() async {
    switch phase {
    case .running:
      phase = .stopping
      await grace()
      if restarts == 0 { return }
      await grace()
      restarts -= 1
      phase = .stopped
    default: return
    }
  }
}

/// A write that no check decides about.
actor Visits {
  var names: [String] = []
  func load() async {}
  func visit(_ name: String) async {
    if names.isEmpty { await load() }
    names.append(name)
  }
}

/// The value is independent of what was read.
actor Stats {
  var total = 0
  func measure() async -> Int { 1 }
  func add() async {
    let before = total
    let value = await measure()
    total += value
    print(before)
  }
}

/// What is awaited is awaited only when there is nothing left, and gives what is there then.
actor Supply {
  private var items: [Int] = []
  private var used = 0
  let source: @Sendable () async -> [Int]
  init(source: @escaping @Sendable () async -> [Int]) { self.source = source }

  func next() async -> Int? {
    if used == items.count, await refill() == false { return nil }
    let item = items[used]
    used += 1
    return item
  }

  private func refill() async -> Bool {
    let more = await source()
    items = more
    used = 0
    return !more.isEmpty
  }
}

/// A value that is asked to make a step, and makes it only from where it is allowed.
struct Attachment {
  enum State { case created, showing, hidden }
  private(set) var state: State = .created

  mutating func attached() -> Bool {
    switch state {
    case .created, .hidden:
      state = .showing
      return true
    case .showing:
      return false
    }
  }

  mutating func detached() -> Bool {
    switch state {
    case .showing:
      state = .hidden
      return true
    case .created, .hidden:
      return false
    }
  }
}

@MainActor
final class AttachedScene {
  private var attachment = Attachment()
  func show() async throws -> Bool { true }

  func hasClient() async -> Bool { true }

  private func waits(_ report: (Bool) -> Void) async -> Bool {
    while !Task.isCancelled {
      if await hasClient() {
        if attachment.attached() { report(true) }
        return true
      }
      try? await Task.sleep(nanoseconds: 100_000_000)
    }
    return false
  }

  func run(_ report: (Bool) -> Void) async throws {
    while !Task.isCancelled {
      guard await waits(report) else { break }
      let ended = try await show()
      if ended {
        if attachment.detached() { report(false) }
        continue
      }
      return
    }
  }
}

/// A clock: its turn only lets time pass, and ends when another one has taken its place.
@MainActor
final class Ticker {
  var index = 0
  let count = 8

  func play() async {
    index = 0
    while !Task.isCancelled {
      let current = min(index, count - 1)
      try? await Task.sleep(nanoseconds: 100_000_000)
      if Task.isCancelled { break }
      index = (current + 1) % count
    }
  }
}

/// A flag that is set first keeps a second run out, also from what is looked at after it.
enum Progress { case idle, loading, done }

@MainActor
final class Upgrade {
  var progress = Progress.idle
  var address: URL?
  func resolve() async throws -> URL { URL(fileURLWithPath: "/") }

  func refresh() async {
    guard progress == .idle else { return }
    progress = .loading
    if address == nil { address = try? await resolve() }
    progress = .done
  }
}

/// The flag lets the task start once, and nothing else changes what its helpers change.
@MainActor
final class Runner {
  var isRunning = false
  private var model: Data?
  func fetch() async throws -> Data { Data() }

  func run() {
    guard !isRunning else { return }
    isRunning = true
    Task {
      let model = try await load()
      print(model.count)
      isRunning = false
    }
  }

  private func load() async throws -> Data {
    if let model { return model }
    let fresh = try await fetch()
    model = fresh
    return fresh
  }
}

/// One `.task` at a time: when the view goes its await throws.
final class Puzzle: View {
  private var question: String?
  private let service: any Riddles
  init(service: any Riddles) { self.service = service }

  var body: some View {
    Text(question ?? "")
      .task { await self.prepare() }
  }

  private func prepare() async {
    guard question == nil else { return }
    do { question = try await service.riddle() } catch {}
  }
}

protocol Riddles: Sendable {
  func riddle() async throws -> String
}

/// What goes is taken out by its key, and what was there decides about the rest.
actor Sessions {
  var open: [Int: String] = [:]
  func farewell(_ name: String) async {}

  func closeAll() async {
    for id in Array(open.keys) { await close(id) }
  }

  private func close(_ id: Int) async {
    if let name = open.removeValue(forKey: id) { await farewell(name) }
  }
}

/// A request with a session goes to it; one without gets a new one, under a key that nobody else can have.
actor SessionTable {
  var sessions: [String: Date] = [:]
  func open() async -> Date { Date() }
  func answer(_ session: Date) async {}

  func handle(_ key: String?) async {
    if let key, let session = sessions[key] {
      await answer(session)
      return
    }
    await begin()
  }

  private func begin() async {
    let key = UUID().uuidString
    let session = await open()
    sessions[key] = session
  }
}

/// How long to wait is noted where the request failed: it follows from nothing older.
actor Pauses {
  private var until: ContinuousClock.Instant?
  let service: any Riddles
  init(service: any Riddles) { self.service = service }

  func ask() async -> String? {
    if let until, until > .now { return nil }
    do { return try await service.riddle() } catch {
      until = .now + .seconds(60)
      return nil
    }
  }
}
