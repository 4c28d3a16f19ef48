import Patience
import Testing
import WalletKit
import WalletStore

/// Same keys, same receipts, same refusals, wherever the accounts are.
@Suite("Every wallet", .patient, .timeLimit(.minutes(10)))
struct TransferStoreTests {
  private let desk = ApprovalDesk(checker: LimitChecker())
  private let (a, b, yen): (AccountID, AccountID, AccountID)

  init() throws { (a, b, yen) = (try AccountID("a"), try AccountID("b"), try AccountID("yen")) }

  private func euro(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, .euro) }

  private func fill(_ store: some TransferStore) async throws {
    _ = try await store.openAccount(a, in: .euro, key: TransferKey("open-a"))
    _ = try await store.openAccount(b, in: .euro, key: TransferKey("open-b"))
    _ = try await store.openAccount(yen, in: .yen, key: TransferKey("open-yen"))
    _ = try await store.deposit(euro(1_000), to: a, key: TransferKey("fund-a"))
  }

  private func send(
    _ amount: Money, _ sender: AccountID, _ recipient: AccountID, _ key: String, in store: some TransferStore
  ) async throws -> LedgerEntry {
    try await store.performTransfer(
      Transfer(amount, from: sender, to: recipient), key: TransferKey(key), desk: desk)
  }

  @Test("moves money, gives the receipt, and writes the line", arguments: WalletKind.here)
  func transfer(kind: WalletKind) async throws {
    let clock = WalletClock { 1_700_000_000_999 }
    let desk = ApprovalDesk(checker: LimitChecker(), clock: clock)
    try await kind.with(desk, clock: clock) { store in
      try await fill(store)
      let transfer = Transfer(euro(300), from: a, to: b)
      let receipt = try await store.performTransfer(transfer, key: TransferKey("t1"), desk: desk)
      #expect(receipt.request == .transfer(transfer))
      #expect(receipt.balance == euro(700))
      #expect(receipt.recordedAt == 1_700_000_000)
      #expect(try await store.balance(of: a) == euro(700))
      #expect(try await store.balance(of: b) == euro(300))
      #expect(
        try await store.accounts() == [
          AccountBalance(a, euro(700)), AccountBalance(b, euro(300)), AccountBalance(yen, .zero(.yen)),
        ])
      let ledger = try await store.ledger(after: 0, limit: .max)
      #expect(ledger.count == 5)
      #expect(ledger.last == receipt)
      #expect(try await store.ledger(after: ledger[2].number, limit: 1) == [ledger[3]])
      let audit = try await store.verify()
      #expect(audit.discrepancies == [])
      #expect(audit.totals == [euro(1_000), .zero(.yen)])
    }
  }

  @Test("the same key and request give the same receipt, and nothing happens again", arguments: WalletKind.here)
  func idempotency(kind: WalletKind) async throws {
    try await kind.with(desk) { store in
      try await fill(store)
      let first = try await send(euro(300), a, b, "t1", in: store)
      for _ in 0..<3 { #expect(try await send(euro(300), a, b, "t1", in: store) == first) }
      let opened = try await store.openAccount(a, in: .euro, key: TransferKey("open-a"))
      #expect(opened.balance == .zero(.euro), "as it was, although money came since")
      let funded = try await store.deposit(euro(1_000), to: a, key: TransferKey("fund-a"))
      #expect(funded.balance == euro(1_000))
      #expect(try await store.balance(of: a) == euro(700))
      #expect(try await store.ledger(after: 0, limit: .max).count == 5)
    }
  }

  @Test(
    "what has been done is answered again although the fraud check would refuse it by now; what has not is refused",
    arguments: WalletKind.here)
  func refusedLater(kind: WalletKind) async throws {
    try await kind.with(desk) { store in
      try await fill(store)
      let transfer = Transfer(euro(300), from: a, to: b)
      let first = try await store.performTransfer(transfer, key: TransferKey("t1"), desk: desk)
      let strict = ApprovalDesk(checker: LimitChecker(limit: 1))
      #expect(try await store.performTransfer(transfer, key: TransferKey("t1"), desk: strict) == first)
      await #expect(throws: WalletError.self) {
        try await store.performTransfer(transfer, key: TransferKey("t2"), desk: strict)
      }
      await #expect(throws: WalletError.keyReused(try TransferKey("t1"))) {
        try await store.performTransfer(Transfer(euro(301), from: a, to: b), key: TransferKey("t1"), desk: strict)
      }
      #expect(try await store.receipt(of: .transfer(transfer), key: TransferKey("t2")) == nil)
      #expect(try await store.balance(of: a) == euro(700))
      #expect(try await store.ledger(after: 0, limit: .max).count == 5)
    }
  }

  @Test("one key from many tasks at the same time is done once, and all get its receipt", arguments: WalletKind.here)
  func racingKey(kind: WalletKind) async throws {
    try await kind.with(desk) { store in
      try await fill(store)
      let (a, b, desk) = (a, b, desk)
      // All of it: whoever loses the race would find the account empty, and must not say so.
      let transfer = Transfer(euro(1_000), from: a, to: b)
      let receipts = try await withThrowingTaskGroup(of: LedgerEntry.self) { group in
        for _ in 0..<12 {
          group.addTask { try await store.performTransfer(transfer, key: TransferKey("t"), desk: desk) }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(receipts.count == 1)
      #expect(try await store.balance(of: b) == euro(1_000))
    }
  }

  @Test("what cannot be is refused with an error that names it, and changes nothing", arguments: WalletKind.here)
  func refusals(kind: WalletKind) async throws {
    try await kind.with(desk) { store in
      try await fill(store)
      let nobody = try AccountID("nobody")
      let used = try TransferKey("fund-a")
      let refused: [(Money, AccountID, AccountID, String, WalletError)] = [
        (euro(1), nobody, b, "x", .unknownAccount(nobody)), (euro(1), a, nobody, "x", .unknownAccount(nobody)),
        (euro(0), a, b, "x", .amountNotPositive(euro(0))), (euro(-1), a, b, "x", .amountNotPositive(euro(-1))),
        (euro(.max), a, b, "x", .amountTooLarge(euro(.max), largest: euro(100_000_000_000_000))),
        (euro(1), a, a, "x", .sameAccount(a)),
        (Money(minorUnits: 1, .yen), a, b, "x", .otherCurrency(Money(minorUnits: 1, .yen), account: a, .euro)),
        (euro(1), a, yen, "x", .otherCurrency(euro(1), account: yen, .yen)),
        (euro(1_001), a, b, "x", .insufficientFunds(a, available: euro(1_000), needed: euro(1_001))),
        (euro(1), a, b, "fund-a", .keyReused(used)),
      ]
      let before = try await store.ledger(after: 0, limit: .max)
      for (amount, sender, recipient, key, error) in refused {
        await #expect(throws: error) { try await send(amount, sender, recipient, key, in: store) }
      }
      await #expect(throws: WalletError.accountExists(a, .euro)) {
        try await store.openAccount(a, in: .yen, key: TransferKey("again"))
      }
      await #expect(throws: WalletError.keyReused(try TransferKey("open-a"))) {
        try await store.openAccount(a, in: .yen, key: TransferKey("open-a"))
      }
      await #expect(throws: WalletError.unknownAccount(nobody)) {
        try await store.deposit(euro(1), to: nobody, key: TransferKey("y"))
      }
      await #expect(throws: WalletError.amountNotPositive(euro(-5))) {
        try await store.deposit(euro(-5), to: a, key: TransferKey("y"))
      }
      await #expect(throws: WalletError.unknownAccount(nobody)) { try await store.balance(of: nobody) }
      #expect(try await store.ledger(after: 0, limit: .max) == before)
      #expect(try await store.balance(of: a) == euro(1_000))
      #expect(try await store.verify().discrepancies == [])
      // The keys of what was refused are unused.
      _ = try await send(euro(1), a, b, "x", in: store)
    }
  }

  @Test("a balance that would not fit is refused", arguments: WalletKind.here)
  func overflow(kind: WalletKind) async throws {
    try await kind.with(desk, rules: TransferRules(largestAmount: .max)) { store in
      try await fill(store)
      _ = try await store.deposit(euro(.max), to: b, key: TransferKey("fund-b"))
      await #expect(throws: WalletError.overflow(b, euro(1))) { try await send(euro(1), a, b, "t", in: store) }
      await #expect(throws: WalletError.overflow(b, euro(1))) {
        try await store.deposit(euro(1), to: b, key: TransferKey("more"))
      }
      #expect(try await store.balance(of: a) == euro(1_000))
      #expect(try await store.balance(of: b) == euro(.max))
    }
  }

  @Test("an expired or foreign approval is refused where the balance is", arguments: WalletKind.here)
  func approvals(kind: WalletKind) async throws {
    try await kind.with(desk) { store in
      try await fill(store)
      let transfer = Transfer(euro(1), from: a, to: b)
      let key = try TransferKey("t")
      let foreign = try await ApprovalDesk(checker: LimitChecker()).approve(transfer, key: key)
      await #expect(throws: WalletError.approvalForeign(key, reason: "another desk gave it")) {
        try await store.transfer(transfer, approval: foreign, key: key)
      }
      let other = try await desk.approve(Transfer(euro(2), from: a, to: b), key: key)
      await #expect(throws: WalletError.approvalForeign(key, reason: "it was given to 0.02 EUR from a to b")) {
        try await store.transfer(transfer, approval: other, key: key)
      }
    }
    let old = WalletClock { 0 }
    let slowDesk = ApprovalDesk(checker: LimitChecker(), validity: .seconds(1), clock: old)
    try await kind.with(slowDesk, clock: WalletClock { 1_500 }) { store in
      try await fill(store)
      let transfer = Transfer(euro(1), from: a, to: b)
      let key = try TransferKey("t")
      let approval = try await slowDesk.approve(transfer, key: key)
      await #expect(throws: WalletError.approvalExpired(key, milliseconds: 500)) {
        try await store.transfer(transfer, approval: approval, key: key)
      }
      #expect(try await store.balance(of: a) == euro(1_000))
    }
  }

  @Test("two transfers that only one balance covers: one goes through", arguments: WalletKind.here)
  func doubleSpend(kind: WalletKind) async throws {
    try await kind.with(desk) { store in
      try await fill(store)
      let (a, b, desk) = (a, b, desk)
      for round in 0..<10 {
        let transfer = Transfer(
          try await store.balance(of: round % 2 == 0 ? a : b), from: round % 2 == 0 ? a : b, to: round % 2 == 0 ? b : a)
        let done = try await withThrowingTaskGroup(of: Bool.self) { group in
          for client in 0..<4 {
            group.addTask {
              do {
                _ = try await store.performTransfer(transfer, key: TransferKey("t\(round)-\(client)"), desk: desk)
                return true
              } catch WalletError.insufficientFunds {
                return false
              }
            }
          }
          return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(done == 1)
      }
      #expect(try await store.verify().discrepancies == [])
    }
  }
}
