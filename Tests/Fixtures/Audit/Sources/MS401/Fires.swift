/// Endless tasks that nobody keeps.
@MainActor
final class ChangesModel {
  var shown = 0
  let changes: AsyncStream<Int>
  init(changes: AsyncStream<Int>) { self.changes = changes }

  func start() {
    Task {  // expect: unowned_task
      for await change in changes { shown = change }
    }
  }

  func poll() {
    Task { [weak self] in  // expect: unowned_task
      while true {
        try? await Task.sleep(for: .seconds(1))
        self?.shown += 1
      }
    }
  }

  func listen() {
    _ = Task.detached { await self.follow() }  // expect: unowned_task
  }

  private func follow() async {
    for await change in changes { shown = change }
  }
}
