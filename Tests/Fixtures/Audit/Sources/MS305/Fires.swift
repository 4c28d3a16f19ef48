/// Blocks that leave the task they were made in.
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
