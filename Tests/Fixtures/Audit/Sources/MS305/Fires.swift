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

/// What its comment speaks of is the thread.
@MainActor
final class Commented {
  var rows: [Int] = []

  func show() {
    // Back on the main thread, to show the rows.
    DispatchQueue.main.async { self.rows = [1] }  // expect: main_queue_in_async
  }
}

/// A kept closure that the main actor calls.
@MainActor
final class Chooser {
  let choose: (Int) -> Void
  init(choose: @escaping (Int) -> Void) { self.choose = choose }
  func chosen(_ row: Int) { choose(row) }
}

@MainActor
final class Choices {
  var chosen = 0
  func chooser() -> Chooser {
    Chooser { row in
      DispatchQueue.main.async { self.chosen = row }  // expect: main_queue_in_async
    }
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

/// The main queue that a member keeps.
@MainActor
final class KeepsQueue {
  private let queue = DispatchQueue.main
  var rows: [Int] = []

  func show() {
    queue.async {  // expect: main_queue_in_async
      print("shown")
    }
  }
}
