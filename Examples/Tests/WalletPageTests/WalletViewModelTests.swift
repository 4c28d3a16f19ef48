import Patience
import Synchronization
import Testing
import WalletKit
import WalletPage

@MainActor
@Suite("The wallet's page", .patient, .timeLimit(.minutes(10)))
struct WalletViewModelTests {
  private func model(_ checker: any FraudChecker = LimitChecker()) async throws -> WalletViewModel {
    let desk = ApprovalDesk(checker: checker)
    let wallet = try await WalletService.open(desk: desk)
    for name in ["a", "b"] {
      _ = try await wallet.openAccount(AccountID(name), in: .euro, key: TransferKey("open-\(name)"))
    }
    _ = try await wallet.deposit(Money(minorUnits: 100_000, .euro), to: AccountID("a"), key: TransferKey("fund"))
    let model = WalletViewModel(store: wallet, desk: desk)
    await model.refresh()
    return model
  }

  @Test("says that it is sending before the tap returns, and what came of it")
  func sending() async throws {
    let model = try await model()
    model.sendTapped(amount: "12.50", from: "a", to: "b")
    #expect(model.sending == 1)
    await model.settle()
    #expect(model.sending == 0)
    guard case .sent(let entry) = model.outcome else { throw Failed(model.outcome) }
    #expect(entry.balance.description == "987.50 EUR")
    // Without being asked to.
    #expect(model.accounts.map(\.balance.number) == ["987.50", "12.50"])
    #expect(model.ledger.last == entry)
    await model.refresh()
    #expect(model.ledger.count == 4, "a line is shown once")
  }

  private struct Failed: Error { init(_: WalletViewModel.Outcome) {} }

  @Test(
    "what cannot be sent is said in the page, with the next step",
    arguments: [
      ("12,50", "a", "b", "is not an amount"), ("0", "a", "b", "above zero"), ("-1", "a", "b", "above zero"),
      ("1", "a", "a", "choose two accounts"), ("1", "x", "b", "open it first"), ("1", "a", "x", "open it first"),
      ("1", "a b", "b", "cannot name an account"), ("1000.01", "a", "b", "pay money in"),
      ("0.001", "a", "b", "nothing is rounded"), ("99999999999999999999", "a", "b", "smaller amount"),
    ])
  func errors(amount: String, sender: String, recipient: String, message: String) async throws {
    let model = try await model()
    model.sendTapped(amount: amount, from: sender, to: recipient)
    await model.settle()
    guard case .failed(let text) = model.outcome else { throw Failed(model.outcome) }
    #expect(text.contains(message), "\(text)")
    // Money may come meanwhile; no amount becomes another one.
    #expect(model.canRetry == (message == "pay money in"))
    await model.refresh()
    #expect(model.accounts.map(\.balance.number) == ["1000.00", "0.00"])
  }

  @Test("a failed transfer is sent again with its own key, and happens once")
  func retry() async throws {
    let checker = MoodyChecker()
    let model = try await model(checker)
    await checker.fail(true)
    model.sendTapped(amount: "10", from: "a", to: "b")
    await model.settle()
    #expect(model.canRetry)
    await checker.fail(false)
    model.retryTapped()
    await model.settle()
    #expect(!model.canRetry)
    model.retryTapped()
    await model.settle()
    await model.refresh()
    #expect(model.accounts.map(\.balance.number) == ["990.00", "10.00"])
  }

  @Test("what the fraud check refused cannot be tried again, and takes the place of what could")
  func refused() async throws {
    let checker = MoodyChecker()
    let model = try await model(checker)
    await checker.fail(true)
    model.sendTapped(amount: "10", from: "a", to: "b")
    await model.settle()
    #expect(model.canRetry)
    await checker.fail(false)
    model.sendTapped(amount: "700", from: "a", to: "b")
    await model.settle()
    guard case .failed(let text) = model.outcome else { throw Failed(model.outcome) }
    #expect(text.contains("the fraud check did not approve"))
    #expect(!model.canRetry)
    model.retryTapped()
    await model.settle()
    await model.refresh()
    #expect(model.accounts.map(\.balance.number) == ["1000.00", "0.00"], "nothing older is sent in its place")
  }

  @Test("a message about what was typed is not one about the transfer that failed before")
  func typed() async throws {
    let model = try await model()
    model.sendTapped(amount: "2000", from: "a", to: "b")
    await model.settle()
    #expect(model.canRetry)
    model.sendTapped(amount: "ten", from: "a", to: "b")
    #expect(!model.canRetry)
  }

  @Test("a wallet that could not be read is read again, and the message goes")
  func reading() async throws {
    let desk = ApprovalDesk(checker: LimitChecker())
    let store = BrittleStore(try await WalletService.open(desk: desk))
    _ = try await store.wallet.openAccount(AccountID("a"), in: .euro, key: TransferKey("open"))
    let model = WalletViewModel(store: store, desk: desk)
    store.isBroken.store(true, ordering: .relaxed)
    await model.refresh()
    #expect(model.outcome == .failed("\(WalletError.reloading)") && model.canRetry)
    store.isBroken.store(false, ordering: .relaxed)
    model.retryTapped()
    await model.settle()
    #expect(model.outcome == .none && !model.canRetry && model.accounts.count == 1)
  }

  @Test("of a long ledger it shows the newest lines")
  func long() async throws {
    let desk = ApprovalDesk(checker: LimitChecker())
    let wallet = try await WalletService.open(desk: desk)
    let a = try AccountID("a")
    _ = try await wallet.openAccount(a, in: .euro, key: TransferKey("open"))
    for number in 1...10_050 {
      _ = try await wallet.deposit(Money(minorUnits: 1, .euro), to: a, key: TransferKey("d\(number)"))
    }
    let model = WalletViewModel(store: wallet, desk: desk)
    await model.refresh()
    #expect(model.ledger.map(\.number) == Array(9_952...10_051))
    _ = try await wallet.deposit(Money(minorUnits: 1, .euro), to: a, key: TransferKey("one-more"))
    await model.refresh()
    #expect(model.ledger.map(\.number) == Array(9_953...10_052))
  }

  @Test("a thousand taps are a thousand transfers")
  func manyTaps() async throws {
    let model = try await model()
    for _ in 0..<1_000 { model.sendTapped(amount: "0.01", from: "a", to: "b") }
    #expect(model.sending == 1_000)
    await model.settle()
    await model.refresh()
    #expect(model.accounts.map(\.balance.number) == ["990.00", "10.00"])
    #expect(model.ledger.count == WalletViewModel.shownLines)
  }
}

/// A fraud check whose service may be away.
private actor MoodyChecker: FraudChecker {
  struct Away: Error {}
  private var fails = false

  func fail(_ fails: Bool) { self.fails = fails }

  func examine(_ transfer: Transfer) async throws -> FraudVerdict {
    if fails { throw Away() }
    return transfer.amount.minorUnits > 50_000 ? .refused(reason: "too much") : .approved
  }
}

/// A wallet that cannot be read for a while.
private final class BrittleStore: TransferStore {
  let wallet: WalletService
  let isBroken = Atomic<Bool>(false)

  init(_ wallet: WalletService) { self.wallet = wallet }

  private var readable: WalletService {
    get throws {
      if isBroken.load(ordering: .relaxed) { throw WalletError.reloading }
      return wallet
    }
  }

  func openAccount(_ account: AccountID, in currency: Currency, key: TransferKey) async throws -> LedgerEntry {
    try await wallet.openAccount(account, in: currency, key: key)
  }
  func deposit(_ amount: Money, to account: AccountID, key: TransferKey) async throws -> LedgerEntry {
    try await wallet.deposit(amount, to: account, key: key)
  }
  func transfer(_ transfer: Transfer, approval: TransferApproval, key: TransferKey) async throws -> LedgerEntry {
    try await wallet.transfer(transfer, approval: approval, key: key)
  }
  func receipt(of request: WalletRequest, key: TransferKey) async throws -> LedgerEntry? {
    try await wallet.receipt(of: request, key: key)
  }
  func balance(of account: AccountID) async throws -> Money { try await readable.balance(of: account) }
  func accounts() async throws -> [AccountBalance] { try await readable.accounts() }
  func ledger(after number: Int64, limit: Int) async throws -> [LedgerEntry] {
    try await readable.ledger(after: number, limit: limit)
  }
  func verify() async throws -> LedgerAudit { try await readable.verify() }
}
