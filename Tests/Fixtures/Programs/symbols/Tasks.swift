// Tasks made in every way. `TaskClosureTests` compiles this and finds the calls that make them.

import Dispatch

actor Store {
  var count = 0
  func bump() -> Int {
    count += 1
    return count
  }
  func kick() {
    Task {
      count += 1
      print(count)
    }
  }
}

@MainActor
final class SearchModel {
  let store = Store()
  var total = 0

  func queryChanged(_ query: String) {
    Task { total += query.count }  // closure 1
    Task {  // closure 2
      total += query.count
      let number = await store.bump()
      total += number
    }
    Task.detached { [store] in  // closure 3
      _ = await store.bump()
    }
    Task(priority: .high) { () throws -> Int in  // closure 4
      total += 2
      return 3
    }
  }

  func methods() {
    Task { total += 1 }  // before a method
    Task(operation: self.named)  // a method
  }

  @Sendable
  func named() async { total += 1 }

  func group() async {
    await withTaskGroup(of: Int.self) { group in
      group.addTask { await self.store.bump() }  // child 1
      group.addTask { 3 }  // child 2
    }
  }
}

@main
struct App {
  static func main() async throws {
    let model = SearchModel()
    model.queryChanged("abc")
    model.methods()
    await model.group()
    await model.store.kick()
    Task.immediate { print("now") }
    try await Task.sleep(nanoseconds: 10_000_000)
    print(model.total)
  }
}
