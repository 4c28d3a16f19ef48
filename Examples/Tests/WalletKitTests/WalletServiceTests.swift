import Mainstay
import Patience
import Synchronization
import Testing
import WalletKit

@Suite("The wallet's domain", .patient, .timeLimit(.minutes(10)))
struct WalletServiceTests {
  private struct Planted: Error {}

  private let desk = ApprovalDesk(checker: LimitChecker())

  private func wallet(
    _ balances: [String: Int64], store: any JournalStore<TransferKey, WalletRequest, LedgerEntry> = InMemoryStore()
  ) async throws -> WalletService {
    let wallet = try await WalletService.open(store: store, desk: desk)
    for (name, amount) in balances.sorted(by: { $0.key < $1.key }) {
      let account = try AccountID(name)
      _ = try await wallet.openAccount(account, in: .dollar, key: TransferKey("open-\(name)"))
      guard amount > 0 else { continue }
      _ = try await wallet.deposit(Money(minorUnits: amount, .dollar), to: account, key: TransferKey("fund-\(name)"))
    }
    return wallet
  }

  private func transfer(_ amount: Int64, _ sender: String = "a", _ recipient: String = "b") throws -> Transfer {
    Transfer(Money(minorUnits: amount, .dollar), from: try AccountID(sender), to: try AccountID(recipient))
  }

  @Test("a failure after any step takes back every step before it, and leaves the key unused")
  func rollback() async throws {
    let wallet = try await wallet(["a": 1_000, "b": 0])
    let before = try await wallet.ledger(after: 0, limit: 100)
    let transfer = try transfer(300)
    for step in WalletService.Step.allCases {
      let key = try TransferKey("t-\(step)")
      await plant(in: wallet) { done, _ in if done == step { throw Planted() } }
      await #expect(throws: Planted.self) { try await wallet.performTransfer(transfer, key: key, desk: desk) }
      #expect(try await wallet.balance(of: transfer.sender).minorUnits == 1_000)
      #expect(try await wallet.balance(of: transfer.recipient).minorUnits == 0)
      #expect(try await wallet.ledger(after: 0, limit: 100) == before)
    }
    await plant(in: wallet, nil)
    for step in WalletService.Step.allCases {
      _ = try await wallet.performTransfer(transfer, key: TransferKey("t-\(step)"), desk: desk, retry: .once)
      if step == .credited { break }
    }
    #expect(try await wallet.balance(of: transfer.sender).minorUnits == 100)
    #expect(try await wallet.verify().discrepancies.isEmpty)
  }

  @WalletActor
  private func plant(
    in wallet: WalletService, _ action: (@Sendable (WalletService.Step, TransferKey) throws -> Void)?
  ) {
    wallet.afterStep = action
  }

  @Test("an approval is bound to amount, parties, key, desk and time, and verified inside")
  func approvals() async throws {
    let now = Mutex<Int64>(1_000_000)
    let clock = WalletClock { now.withLock { $0 } }
    let desk = ApprovalDesk(checker: LimitChecker(), validity: .seconds(60), clock: clock)
    let wallet = try await WalletService.open(desk: desk, clock: clock)
    for name in ["a", "b", "c"] {
      let account = try AccountID(name)
      _ = try await wallet.openAccount(account, in: .dollar, key: TransferKey("open-\(name)"))
      _ = try await wallet.deposit(Money(minorUnits: 1_000, .dollar), to: account, key: TransferKey("fund-\(name)"))
    }
    let key = try TransferKey("t")
    let approval = try await desk.approve(transfer(300), key: key)

    for other in [
      try transfer(301), try transfer(300, "a", "c"), try transfer(300, "c", "b"), try transfer(300, "b", "a"),
    ] {
      await #expect(throws: WalletError.approvalForeign(key, reason: "it was given to 3.00 USD from a to b")) {
        try await wallet.transfer(other, approval: approval, key: key)
      }
    }
    let otherKey = try TransferKey("t2")
    await #expect(throws: WalletError.approvalForeign(otherKey, reason: "it was given to t")) {
      try await wallet.transfer(transfer(300), approval: approval, key: otherKey)
    }
    let foreign = try await ApprovalDesk(checker: LimitChecker(), clock: clock).approve(transfer(300), key: key)
    await #expect(throws: WalletError.approvalForeign(key, reason: "another desk gave it")) {
      try await wallet.transfer(transfer(300), approval: foreign, key: key)
    }
    now.withLock { $0 = approval.expiresAt }
    await #expect(throws: WalletError.approvalExpired(key, milliseconds: 0)) {
      try await wallet.transfer(transfer(300), approval: approval, key: key)
    }
    now.withLock { $0 = approval.expiresAt - 1 }
    let receipt = try await wallet.transfer(transfer(300), approval: approval, key: key)
    // The receipt of what happened does not expire.
    now.withLock { $0 = approval.expiresAt + 1_000 }
    #expect(try await wallet.transfer(transfer(300), approval: approval, key: key) == receipt)
  }

  @Test("two transfers of 800 from 1,000, both approved before either is applied: one goes through")
  func doubleSpend() async throws {
    let wallet = try await wallet(["a": 1_000, "b": 0])
    let (one, other) = (try TransferKey("one"), try TransferKey("other"))
    let transfer = try transfer(800)
    let approvals = [
      one: try await desk.approve(transfer, key: one), other: try await desk.approve(transfer, key: other),
    ]
    let receipts = await withTaskGroup(of: LedgerEntry?.self) { group in
      for (key, approval) in approvals {
        group.addTask { try? await wallet.transfer(transfer, approval: approval, key: key) }
      }
      return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
    }
    #expect(receipts.count == 1)
    #expect(try await wallet.balance(of: transfer.sender).minorUnits == 200)
  }

  @Test("a refused fraud check stops the transfer before the wallet is asked")
  func refusedApproval() async throws {
    let strict = ApprovalDesk(checker: LimitChecker(limit: 100))
    let wallet = try await WalletService.open(desk: strict)
    let key = try TransferKey("t")
    await #expect(throws: WalletError.notApproved(key, reason: "3.00 USD is over the limit of 1.00 USD")) {
      try await wallet.performTransfer(transfer(300), key: key, desk: strict)
    }
  }

  @Test("a failed commit poisons the wallet; reloaded, it has what was durable, and the same key does the rest")
  func poison() async throws {
    let store = FailingStore()
    let wallet = try await wallet(["a": 1_000, "b": 0], store: store)
    let key = try TransferKey("t")
    let transfer = try transfer(300)
    store.fail(true)
    await #expect(throws: WalletError.poisoned(cause: "no room")) {
      try await wallet.performTransfer(transfer, key: key, desk: desk, retry: .once)
    }
    // Memory is ahead of the store, so that even a read is refused.
    await #expect(throws: WalletError.poisoned(cause: "no room")) { try await wallet.balance(of: transfer.sender) }
    store.fail(false)
    // Retrying reloads by itself.
    let receipt = try await wallet.performTransfer(
      transfer, key: key, desk: desk, retry: RetryPolicy(attempts: 3, first: .zero, longest: .zero))
    #expect(receipt.balance.minorUnits == 700)
    #expect(try await wallet.balance(of: transfer.sender).minorUnits == 700)
    #expect(try await wallet.verify().discrepancies.isEmpty)
  }

  @Test("a ledger that cannot be is not opened")
  func damagedLedger() async throws {
    let account = try AccountID("a")
    let store = InMemoryStore<TransferKey, WalletRequest, LedgerEntry>()
    let key = try TransferKey("k")
    let request = WalletRequest.deposit(Money(minorUnits: 5, .euro), to: account)
    let line = LedgerEntry(
      number: 1, key: key, request: request, balance: Money(minorUnits: 5, .euro), recordedAt: 0)
    try await store.commit([JournalEntry(key: key, request: request, receipt: line, recordedAt: 0)], forgetting: [])
    await #expect(
      throws: LedgerDamage(line: 1, key: "k", reason: "there is no account a; open it first")
    ) { try await WalletService.open(store: store, desk: desk) }
  }

  @Test("one key and request give one receipt, however often and from however many tasks they come")
  func idempotency() async throws {
    let wallet = try await wallet(["a": 1_000, "b": 0])
    let (key, transfer) = (try TransferKey("t"), try transfer(100))
    let desk = desk
    let receipts = try await withThrowingTaskGroup(of: LedgerEntry.self) { group in
      for _ in 0..<50 { group.addTask { try await wallet.performTransfer(transfer, key: key, desk: desk) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(receipts.count == 1)
    #expect(try await wallet.balance(of: transfer.sender).minorUnits == 900)
  }
}

/// A store that can be told to fail.
private final class FailingStore: JournalStore {
  struct NoRoom: Error, CustomStringConvertible { var description: String { "no room" } }
  typealias Entry = JournalEntry<TransferKey, WalletRequest, LedgerEntry>

  private let state = Mutex((entries: [Entry](), fails: false))

  func fail(_ fails: Bool) { state.withLock { $0.fails = fails } }
  func load() async throws -> [Entry] { state.withLock { $0.entries } }

  func commit(_ entries: [Entry], forgetting forgotten: [TransferKey]) async throws {
    try state.withLock { state in
      if state.fails { throw NoRoom() }
      state.entries += entries
    }
  }
}
