/// Strong for one round at a time, or cancelled by somebody else.
import Foundation

@MainActor
final class LooseFeed {
  var shown = 0
  let values: AsyncStream<Int>
  private var task: Task<Void, Never>?
  init(values: AsyncStream<Int>) { self.values = values }
  deinit { task?.cancel() }

  func start() {
    task = Task { [weak self, values] in
      for await value in values {
        guard let self else { return }
        self.shown = value
      }
    }
  }

  func restart() {
    task?.cancel()
    task = Task { [weak self, values] in
      for await value in values { self?.shown = value }
    }
  }
}

/// Ends by itself.
@MainActor
final class OneShot {
  var shown = 0
  private var task: Task<Void, Never>?
  func load() async { shown += 1 }

  func start() {
    task = Task { await load() }
  }
}

/// The state machine keeps the tasks, and hands them out to be cancelled.
final class Merging: Sendable {
  private struct State {
    private var tasks: [Task<Void, Never>] = []
    mutating func started(_ task: Task<Void, Never>) { tasks.append(task) }
    mutating func ended() -> [Task<Void, Never>] {
      defer { tasks = [] }
      return tasks
    }
  }
  private let lock = NSLock()
  private nonisolated(unsafe) var state = State()
  private let values: AsyncStream<Int>
  init(values: AsyncStream<Int>) { self.values = values }

  func start() {
    let task = Task {
      for await value in values { deliver(value) }
    }
    lock.withLock { state.started(task) }
  }

  func stop() {
    let tasks = lock.withLock { state.ended() }
    for task in tasks { task.cancel() }
  }

  private func deliver(_ value: Int) {}
}

/// Whoever stops the session stops the tasks, by the helper of the function that starts them.
@MainActor
protocol SessionService: AnyObject {
  func willStop()
}

@MainActor
final class SessionFeeds {
  var shown = 0
  let values: AsyncStream<Int>
  private var tasks: [Task<Void, Never>] = []
  init(values: AsyncStream<Int>) { self.values = values }

  func start() {
    stop()
    tasks = [
      Task {
        for await value in values { shown = value }
      }
    ]
  }

  private func stop() {
    tasks.forEach { $0.cancel() }
    tasks.removeAll()
  }
}

extension SessionFeeds: SessionService {
  func willStop() { stop() }
}
