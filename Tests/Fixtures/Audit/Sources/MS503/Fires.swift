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

/// A nonisolated function of an actor visits its own actor like any other.
actor Inbox {
  private var letters: [String] = []
  private func keep(_ letter: String) { letters.append(letter) }

  nonisolated func file(_ letter: String, in archive: Archive) async {  // expect: actor_chain note
    await keep(letter)
    await archive.add(letter)
  }
}

actor Archive {
  private var letters: [String] = []
  func add(_ letter: String) { letters.append(letter) }
}
