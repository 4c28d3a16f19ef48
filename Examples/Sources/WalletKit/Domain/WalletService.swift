/// The wallet of one process: what must happen together happens in one synchronous block.
import Mainstay

/// Accounts and ledger in memory, durable through the store of its journal.
///
/// Everything that changes money is a synchronous unit of work on ``WalletActor``: check, debit, credit, record, with
/// nothing in between, taken back if a step throws, and done once for each key. What waits, waits outside: the fraud
/// check before it, the disk after it. A receipt leaves when it is durable.
@WalletActor
public final class WalletService: TransferStore {
  public typealias Entry = JournalEntry<TransferKey, WalletRequest, LedgerEntry>

  /// A step that is done, for those who want to fail after it.
  package enum Step: Sendable, CaseIterable { case verified, debited, credited, recorded }

  private let balances: BalanceStore
  private let ledger = LedgerRepository()
  private let journal: Journal<TransferKey, WalletRequest, LedgerEntry>
  private let desk: ApprovalDesk.Identity
  private let rules: TransferRules
  private let clock: WalletClock
  /// Called after each step of a transfer; what it throws ends the unit of work there. Tests plant failures with it.
  package var afterStep: (@Sendable (Step, TransferKey) throws -> Void)?

  private init(
    store: any JournalStore<TransferKey, WalletRequest, LedgerEntry>, desk: ApprovalDesk, rules: TransferRules,
    clock: WalletClock
  ) {
    balances = BalanceStore(rules: rules)
    journal = Journal(store: store)
    self.desk = desk.identity
    self.rules = rules
    self.clock = clock
  }

  /// Reads a wallet from its store.
  ///
  /// - Parameters:
  ///   - store: where it is durable; the default forgets it with the process.
  ///   - desk: whose approvals it accepts.
  /// - Throws: what the store throws, `LedgerDamage`, `JournalError.damagedStore`.
  public static func open(
    store: any JournalStore<TransferKey, WalletRequest, LedgerEntry> = InMemoryStore(), desk: ApprovalDesk,
    rules: TransferRules = TransferRules(), clock: WalletClock = .system
  ) async throws -> WalletService {
    let wallet = WalletService(store: store, desk: desk, rules: rules, clock: clock)
    try await wallet.reload()
    return wallet
  }

  /// Forgets memory and starts from what the store holds: after a failed commit.
  ///
  /// - Throws: as ``open(store:desk:rules:clock:)``; `WalletError.reloading` while another call of it runs.
  public func reload() async throws {
    do {
      try await journal.reload { entries in
        var replay = LedgerReplay()
        for entry in entries { try replay.replay(entry.receipt) }
        balances.replace(with: replay.balances)
        ledger.replace(with: entries.map(\.receipt))
      }
    } catch let error as JournalError {
      throw WalletError(error) ?? error
    }
  }

  public func recover(from error: any Error) async throws {
    if case WalletError.poisoned = error, journal.isPoisoned { try await reload() }
  }

  public func openAccount(_ account: AccountID, in currency: Currency, key: TransferKey) async throws -> LedgerEntry {
    let request = WalletRequest.open(account, currency)
    return try await durably(key) {
      try journal.perform(id: key, request) { undo in
        try balances.open(account, in: currency)
        undo.onRollback { self.balances.close(account) }
        return record(request, key: key, balance: .zero(currency), undo: &undo)
      }
    }
  }

  public func deposit(_ amount: Money, to account: AccountID, key: TransferKey) async throws -> LedgerEntry {
    let request = WalletRequest.deposit(amount, to: account)
    return try await durably(key) {
      try journal.perform(id: key, request) { undo in
        try rules.check(amount)
        let credit = try balances.credit(amount, to: account)
        undo.onRollback { self.balances.takeBack(credit) }
        return record(request, key: key, balance: credit.after, undo: &undo)
      }
    }
  }

  public func transfer(_ transfer: Transfer, approval: TransferApproval, key: TransferKey) async throws -> LedgerEntry {
    try await durably(key) { try applyApprovedTransfer(transfer, approval: approval, key: key) }
  }

  /// Makes an approved transfer in memory, start to finish with nothing in between. The receipt may leave the process
  /// only after ``committed(_:)``.
  ///
  /// - Throws: `WalletError`, `JournalError`; nothing has changed then.
  @discardableResult
  public func applyApprovedTransfer(
    _ transfer: Transfer, approval: TransferApproval, key: TransferKey
  ) throws -> LedgerEntry {
    let request = WalletRequest.transfer(transfer)
    return try journal.perform(id: key, request) { undo in
      try rules.check(transfer)
      try approval.verify(transfer, key: key, desk: desk, at: clock.milliseconds)
      try afterStep?(.verified, key)
      let debit = try balances.debit(transfer.amount, from: transfer.sender)
      undo.onRollback { self.balances.takeBack(debit) }
      try afterStep?(.debited, key)
      let credit = try balances.credit(transfer.amount, to: transfer.recipient)
      undo.onRollback { self.balances.takeBack(credit) }
      try afterStep?(.credited, key)
      let entry = record(request, key: key, balance: debit.after, undo: &undo)
      try afterStep?(.recorded, key)
      return entry
    }
  }

  /// Returns the receipt of a unit of work once it is durable.
  public func committed(_ key: TransferKey) async throws -> LedgerEntry {
    do { return try await journal.committed(key) } catch let error as JournalError { throw WalletError(error) ?? error }
  }

  public func receipt(of request: WalletRequest, key: TransferKey) async throws -> LedgerEntry? {
    do {
      return try await durably(key) { try journal.perform(id: key, request) { _ in throw NothingDone() } }
    } catch is NothingDone {
      return nil
    }
  }

  public func balance(of account: AccountID) async throws -> Money {
    try await settled { try balances.availableBalance(for: account) }
  }

  public func accounts() async throws -> [AccountBalance] {
    try await settled { balances.accounts }
  }

  public func ledger(after number: Int64, limit: Int) async throws -> [LedgerEntry] {
    try await settled { Array(ledger.entries.dropFirst(Int(number)).prefix(limit)) }
  }

  public func verify() async throws -> LedgerAudit {
    let (entries, accounts) = try await settled { (ledger.entries, balances.accounts) }
    return try await Self.audit(entries, accounts)
  }

  @concurrent
  private nonisolated static func audit(
    _ entries: [LedgerEntry], _ accounts: [AccountBalance]
  ) async throws -> LedgerAudit {
    var replay = LedgerReplay()
    for entry in entries { try replay.replay(entry) }
    return replay.audit(against: accounts)
  }

  private func record(
    _ request: WalletRequest, key: TransferKey, balance: Money, undo: inout Undo
  ) -> LedgerEntry {
    let entry = ledger.record(request, key: key, balance: balance, at: clock.seconds)
    undo.onRollback { self.ledger.strike() }
    return entry
  }

  /// Works in memory at once, and answers when the disk has it.
  private func durably(_ key: TransferKey, _ work: () throws -> LedgerEntry) async throws -> LedgerEntry {
    do {
      _ = try work()
      return try await journal.committed(key)
    } catch let error as JournalError {
      throw WalletError(error) ?? error
    }
  }

  /// Reads at once, and answers when all that was read is durable.
  private func settled<Value: Sendable>(_ read: () throws -> Value) async throws -> Value {
    do {
      let value = try read()
      try await journal.flush()
      return value
    } catch let error as JournalError {
      throw WalletError(error) ?? error
    }
  }
}

extension WalletError {
  /// In the wallet's words, where it has some.
  init?(_ error: JournalError) {
    switch error {
    case .keyReused(let key):
      guard let key = try? TransferKey(key) else { return nil }
      self = .keyReused(key)
    case .poisoned(let cause): self = .poisoned(cause: cause)
    case .reloading: self = .reloading
    case .nested, .unknownKey, .damagedStore: return nil
    }
  }
}
