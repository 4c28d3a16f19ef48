/// Strong for one round at a time, or cancelled by somebody else.
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
