/// An unowned reference holds nobody.
@MainActor
final class UnownedFeed {
  var shown = 0
  let values: AsyncStream<Int>
  private var task: Task<Void, Never>?
  init(values: AsyncStream<Int>) { self.values = values }
  deinit { task?.cancel() }

  func start() {
    task = Task { [unowned self, values] in
      for await value in values { self.shown = value }
    }
  }
}
