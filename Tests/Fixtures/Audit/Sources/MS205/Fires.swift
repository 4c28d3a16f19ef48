/// Tasks that outlive the unit of work they were started in.
enum Refused: Error { case because }

/// A unit of work by its shape: it runs its closure and takes back what was done when that throws.
@MainActor
final class Ledger {
  var lines: [String] = []
  private var saved: [String] = []

  func unit(_ body: () throws -> Void) throws {
    saved = lines
    do { try body() } catch {
      rollback()
      throw error
    }
  }
  private func rollback() { lines = saved }
}

/// One by its name.
final class Database {
  func transaction(_ body: () throws -> Void) throws { try body() }
}

@MainActor
final class Shop {
  let ledger = Ledger()
  let database = Database()
  func mail(_ order: String) async { await Task.yield() }

  func order(_ name: String) throws {
    try ledger.unit {
      ledger.lines.append(name)
      Task { await self.mail(name) }  // expect: task_in_transaction
      if name.isEmpty { throw Refused.because }
    }
  }

  func store(_ name: String) throws {
    try database.transaction {
      ledger.lines.append(name)
      notify(name)
    }
  }

  private func notify(_ name: String) {
    Task.detached { await self.mail(name) }  // expect: task_in_transaction
  }
}
