/// One room, or rooms that have nothing to do with each other.
@globalActor actor BooksActor { static let shared = BooksActor() }

@BooksActor final class Accounts {
  private var amounts: [String: Int] = [:]
  private var lines: [Int] = []
  func transfer(_ amount: Int, from name: String) {
    amounts[name, default: 0] -= amount
    lines.append(amount)
  }
}

actor Pictures {
  private var count = 0
  func note() { count += 1 }
}

actor Analytics {
  private var count = 0
  func note() { count += 1 }
}

struct Independent: Sendable {
  let accounts: Accounts
  let pictures = Pictures()
  let analytics = Analytics()

  func both() async {
    await pictures.note()
    await analytics.note()
  }

  func one(_ amount: Int) async { await accounts.transfer(amount, from: "a") }
}
