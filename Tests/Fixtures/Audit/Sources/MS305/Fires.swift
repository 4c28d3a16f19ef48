/// Blocks that leave the task they were made in.
import Combine
import Foundation

@MainActor
final class Rows {
  var rows: [Int] = []
  func fetch() async -> [Int] {
    await Task.yield()
    return [1]
  }

  func load() async {
    let found = await fetch()
    DispatchQueue.main.async {  // expect: main_queue_in_async
      self.rows = found
    }
  }

  func refresh() {
    DispatchQueue.main.async { self.rows = [] }  // expect: main_queue_in_async
  }
}

actor RowStore {
  let rows: Rows
  init(rows: Rows) { self.rows = rows }

  func publish(_ values: [Int]) {
    let rows = rows
    DispatchQueue.main.async { rows.rows = values }  // expect: main_queue_in_async
  }
}

/// What is received on the main queue is there already, and so is what the program's own function calls.
@MainActor
final class Sheets {
  var sheet = 0
  var subscription: Subscription?
  let values = Values<Int>()

  func follow() {
    subscription = values.receive(on: DispatchQueue.main).map { $0 + 1 }.sink { value in
      DispatchQueue.main.async { self.sheet = value }  // expect: main_queue_in_async
    }
    each { value in
      DispatchQueue.main.async { self.sheet = value }  // expect: main_queue_in_async
    }
  }

  private func each(_ body: @escaping (Int) -> Void) { body(1) }
}
