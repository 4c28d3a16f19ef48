/// Visits that helpers make, that a child task makes, and that `MainActor.run` makes.
actor Safe {
  var coins = 3
  var names: [String: Int] = [:]
  func has(_ amount: Int) -> Bool { coins >= amount }
  func ensure(_ amount: Int) throws { if coins < amount { throw Insufficient() } }
  func take(_ amount: Int) { coins -= amount }
  func count(_ name: String) -> Int { names[name] ?? 0 }
  func put(_ name: String, _ count: Int) { names[name] = count }
  func takeChecked(_ amount: Int) -> Bool {
    guard coins >= amount else { return false }
    coins -= amount
    return true
  }
}

struct Visitor: Sendable {
  let safe: Safe
  private func has(_ amount: Int) async -> Bool { await safe.has(amount) }
  private func can(_ amount: Int) async -> Bool { await has(amount) }
  private func take(_ amount: Int) async { await safe.take(amount) }
  private func takeChecked(_ amount: Int) async -> Bool { await safe.takeChecked(amount) }

  func deep(_ amount: Int) async {
    if await can(amount) { await safe.take(amount) }  // expect: split_check
  }
  func helped(_ amount: Int) async {
    if await safe.has(amount) { await take(amount) }  // expect: split_check
  }
  func checked(_ amount: Int) async -> Bool {
    guard await can(amount) else { return false }
    return await takeChecked(amount)
  }
}

func byChild(_ safe: Safe) async {
  async let isEnough = safe.has(1)
  if await isEnough { await safe.take(1) }  // expect: split_check
}

func counted(_ safe: Safe) async {
  let count = await safe.count("a")
  await safe.put("a", count + 1)  // expect: split_check
}

@MainActor final class Selected {
  var row: Int?
  var title = ""
}

func select(_ model: Selected) async {
  let isFree = await MainActor.run { model.row == nil }
  if isFree { await MainActor.run { model.row = 3 } }  // expect: split_check
}

func entitle(_ model: Selected) async {
  let isFree = await MainActor.run { model.row == nil }
  if isFree { await MainActor.run { model.title = "free" } }
}
