/// One operation, several rooms.
actor Balances {
  private var amounts: [String: Int] = [:]
  func debit(_ amount: Int, from name: String) { amounts[name, default: 0] -= amount }
}

actor Journal {
  private var lines: [Int] = []
  func record(_ amount: Int) { lines.append(amount) }
}

struct Transfers: Sendable {
  let balances = Balances()
  let journal = Journal()

  func transfer(_ amount: Int, from name: String) async {  // expect: actor_chain note
    await balances.debit(amount, from: name)
    await journal.record(amount)
  }
}
