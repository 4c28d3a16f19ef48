/// Transfers through a journal. Compiled twice: beside the journal in one module, and across a package boundary.

import Dispatch

#if !SAME_MODULE
  import Mainstay
#endif

struct Transfer: Equatable, Sendable {
  var from: Int
  var to: Int
  var amount: Int
}

enum Refusal: Error { case short }

/// 64 accounts, changed two at a time.
private final class Accounts {
  private(set) var balances = Array(repeating: 1_000_000, count: 64)
  let journal = Journal<Int, Transfer, Int>()

  @inline(never)
  func transfer(_ id: Int, _ transfer: Transfer) throws -> Int {
    try journal.perform(id: id, transfer) { undo in
      balances[transfer.from] -= transfer.amount
      undo.onRollback { self.balances[transfer.from] += transfer.amount }
      guard balances[transfer.from] >= 0 else { throw Refusal.short }
      balances[transfer.to] += transfer.amount
      undo.onRollback { self.balances[transfer.to] -= transfer.amount }
      return balances[transfer.from]
    }
  }
}

/// Performs `count` transfers and then replays each: nanoseconds of one perform and of one replay.
@inline(never)
public func journalWorkload(count: Int) throws -> (perform: Double, replay: Double) {
  let accounts = Accounts()
  let transfers = (0..<count).map { Transfer(from: $0 &* 7 % 64, to: ($0 &* 13 &+ 1) % 64, amount: 1) }
  func run() throws -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    for (id, transfer) in transfers.enumerated() { _ = try accounts.transfer(id, transfer) }
    return Double(DispatchTime.now().uptimeNanoseconds - start) / Double(count)
  }
  let perform = try run()
  let replay = try run()
  precondition(accounts.balances.reduce(0, +) == 64_000_000)
  return (perform, replay)
}
