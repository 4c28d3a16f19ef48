/// Lets callers go in pairs: the first waits for the second, so that both are inside when either goes on.
actor Gate {
  private var waiting: CheckedContinuation<Void, Never>?

  func meet() async {
    if let first = waiting {
      waiting = nil
      first.resume()
    } else {
      await withCheckedContinuation { waiting = $0 }
    }
  }
}

actor Wallet {
  private var balance: Int
  private let gate = Gate()

  init(balance: Int) { self.balance = balance }

  func pay(_ amount: Int) async -> Bool {
    guard balance >= amount else { return false }
    await gate.meet()
    balance -= amount  // check_then_act
    return true
  }

  /// Found by the audit, and never called here.
  func refund(_ amount: Int) async -> Bool {
    guard balance < amount else { return false }
    await gate.meet()
    balance += amount  // never called
    return true
  }
}

actor Store {
  private(set) var stock: Int

  init(stock: Int) { self.stock = stock }

  func take(_ amount: Int) { stock -= amount }
}

struct Desk {
  let store: Store
  let gate = Gate()

  func sell(_ amount: Int) async -> Bool {
    guard await store.stock >= amount else { return false }
    await gate.meet()
    await store.take(amount)  // split_check
    return true
  }
}

@main
struct Interleaved {
  static func main() async {
    let wallet = Wallet(balance: 1_000_000)
    let desk = Desk(store: Store(stock: 1_000_000))
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<40 {
        group.addTask { await wallet.pay(1) }
        group.addTask { await desk.sell(1) }
      }
    }
  }
}
