/// Groups whose children go on for ever, and groups that end.
@MainActor
final class Grouped {
  let changes: AsyncStream<Int>
  let others: AsyncStream<Int>
  init(_ changes: AsyncStream<Int>, _ others: AsyncStream<Int>) { (self.changes, self.others) = (changes, others) }

  func start() {
    Task {  // expect: unowned_task
      await withTaskGroup(of: Void.self) { group in
        group.addTask { [changes] in for await change in changes { print(change) } }
        group.addTask { [others] in for await other in others { print(other) } }
      }
    }
  }

  /// The first that ends, ends the other.
  func race() {
    Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { [changes] in for await change in changes { print(change) } }
        group.addTask { try? await Task.sleep(for: .seconds(1)) }
        await group.next()
        group.cancelAll()
      }
    }
  }
}
