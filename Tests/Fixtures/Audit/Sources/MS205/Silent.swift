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

/// What is selected is restored each time, and not because something failed.
@MainActor
final class Selection {
  var rows: [String] = []
  private var selected = 0
  func mail(_ row: String) async { await Task.yield() }

  private func keepingSelection(_ body: () -> Void) {
    let before = selected
    body()
    restoreSelection(before)
  }
  private func restoreSelection(_ row: Int) { selected = row }

  func show(_ new: [String]) {
    keepingSelection {
      rows = new
      Task { await self.mail("shown") }
    }
  }
}
