/// Tasks that start once the unit of work has succeeded.
@MainActor
final class CarefulShop {
  let ledger = Ledger()
  let database = Database()
  func mail(_ order: String) async { await Task.yield() }

  func order(_ name: String) throws {
    try ledger.unit {
      ledger.lines.append(name)
      if name.isEmpty { throw Refused.because }
    }
    Task { await self.mail(name) }
  }

  func store(_ name: String) throws {
    try database.transaction { ledger.lines.append(name) }
    Task { await self.mail(name) }
  }
}
