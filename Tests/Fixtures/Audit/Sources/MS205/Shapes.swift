/// Units of work by their shape alone: what they restore is a copy, or restored by a `defer` that asks.
@MainActor
final class Restoring {
  var lines: [String] = []
  private var saved: [String] = []
  func mail() async { await Task.yield() }

  func attempt<T>(_ body: () throws -> T) rethrows -> T {
    let before = lines
    do { return try body() } catch {
      lines = before
      throw error
    }
  }

  func whole(_ body: () throws -> Void) throws {
    saved = lines
    var isDone = false
    defer { if !isDone { restore() } }
    try body()
    isDone = true
  }
  private func restore() { lines = saved }

  func each(_ body: () throws -> Void) rethrows {
    do { try body() } catch {
      lines.append("failed")
      throw error
    }
  }

  func use() throws {
    attempt {
      lines.append("a")
      Task { await mail() }  // expect: task_in_transaction
    }
    try whole {
      lines.append("b")
      Task { await mail() }  // expect: task_in_transaction
    }
    each {
      lines.append("c")
      Task { await mail() }
    }
  }
}
