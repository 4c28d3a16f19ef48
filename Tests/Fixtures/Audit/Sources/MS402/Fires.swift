/// Stored tasks that hold their owner for ever.
@MainActor
final class Feed {
  var shown = 0
  let values: AsyncStream<Int>
  private var task: Task<Void, Never>?
  init(values: AsyncStream<Int>) { self.values = values }
  deinit { task?.cancel() }

  func start() {
    task = Task { [weak self, values] in
      guard let self else { return }  // expect: task_pins_owner
      for await value in values { self.shown = value }
    }
  }
}

@MainActor
final class StrongFeed {
  var shown = 0
  let values: AsyncStream<Int>
  private var task: Task<Void, Never>?
  init(values: AsyncStream<Int>) { self.values = values }
  deinit { task?.cancel() }

  func start() {
    task = Task {  // expect: task_pins_owner
      for await value in values { shown = value }
    }
  }
}

/// The method that loops is awaited on a self that was strong before.
@MainActor
final class MethodFeed {
  var shown = 0
  let values: AsyncStream<Int>
  private var task: Task<Void, Never>?
  init(values: AsyncStream<Int>) { self.values = values }

  func start() {
    task = Task { [weak self] in
      await self?.follow()  // expect: task_pins_owner
    }
  }

  private func follow() async {
    for await value in values { shown = value }
  }
}

/// The helper that cancels is called by the function that starts anew, and by no other.
@MainActor
final class HelpedFeed {
  var shown = 0
  let values: AsyncStream<Int>
  private var task: Task<Void, Never>?
  init(values: AsyncStream<Int>) { self.values = values }

  func start() {
    stop()
    task = Task {  // expect: task_pins_owner
      for await value in values { shown = value }
    }
  }

  private func stop() { task?.cancel() }
}
