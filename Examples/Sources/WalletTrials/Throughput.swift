/// How many transfers a second, in memory: one table from one run.
import Broken
import Mainstay
import Synchronization
import WalletKit

/// Sends the same transfers through wallets that keep the rule in different ways, and some that do not.
public struct Throughput: Sendable {
  public struct Row: Sendable, Equatable {
    public var wallet: String
    /// The median of the rounds.
    public var perSecond: Double
  }

  public var transfers: Int
  public var rounds: Int
  private let tasks = 4

  public init(transfers: Int, rounds: Int = 5) {
    self.transfers = transfers
    self.rounds = rounds
  }

  /// What one task sends, made before the clock runs.
  typealias Job = (transfer: Transfer, key: TransferKey, approval: TransferApproval)

  @concurrent
  public func run() async throws -> [Row] {
    let plan = try LoadPlan(seed: 7, accounts: 64, startingBalance: 1_000_000_000_000, largest: 1_000)
    let desk = ApprovalDesk(checker: LimitChecker(), validity: .seconds(86_400))
    var jobs: [[Job]] = []
    for task in 0..<tasks {
      var own: [Job] = []
      for index in 0..<transfers / tasks {
        let (number, transfer) = (task * transfers + index, plan.transfer(task * transfers + index))
        let key = try plan.key(number)
        own.append((transfer, key, try await desk.approve(transfer, key: key)))
      }
      jobs.append(own)
    }
    let work = jobs
    let variants: [(String, () async throws -> Double)] = [
      ("domain, one a hop", { try await domain(work, plan, desk, journalled: false, batch: 1) }),
      ("domain, one a hop, journalled", { try await domain(work, plan, desk, journalled: true, batch: 1) }),
      ("domain, 100 a hop", { try await domain(work, plan, desk, journalled: false, batch: 100) }),
      ("domain, 100 a hop, journalled", { try await domain(work, plan, desk, journalled: true, batch: 100) }),
      ("separate actors, which break the rule", { try await separateActors(work, plan) }),
      ("mutex", { try await mutex(work, plan, desk, journalled: false) }),
      ("mutex, journalled", { try await mutex(work, plan, desk, journalled: true) }),
    ]
    var measured = variants.map { _ in [Double]() }
    // Alternating, so that whatever else the machine does meets all of them.
    for _ in 0..<rounds {
      for (number, variant) in variants.enumerated() { measured[number].append(try await variant.1()) }
    }
    return zip(variants, measured).map { variant, seconds in
      Row(wallet: variant.0, perSecond: Double(transfers) / seconds.sorted()[seconds.count / 2])
    }
  }

  private func timed(_ jobs: [[Job]], _ client: @escaping @Sendable ([Job]) async throws -> Void) async throws -> Double
  {
    let clock = ContinuousClock()
    let start = clock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for own in jobs { group.addTask { try await client(own) } }
      try await group.waitForAll()
    }
    let length = start.duration(to: clock.now).components
    return Double(length.seconds) + Double(length.attoseconds) * 1e-18
  }

  private func domain(
    _ jobs: [[Job]], _ plan: LoadPlan, _ desk: ApprovalDesk, journalled: Bool, batch: Int
  ) async throws -> Double {
    if journalled {
      let wallet = try await WalletService.open(desk: desk)
      try await plan.prepare(wallet)
      return try await timed(jobs) { own in
        if batch == 1 {
          for job in own { _ = try await wallet.transfer(job.transfer, approval: job.approval, key: job.key) }
        } else {
          for start in stride(from: 0, to: own.count, by: batch) {
            try await wallet.applyAll(own[start..<min(own.count, start + batch)])
          }
        }
      }
    }
    let wallet = await BareWallet(plan, desk: desk)
    return try await timed(jobs) { own in
      if batch == 1 {
        // mainstay:disable:next hop_in_loop - one transfer a hop is what this row measures
        for job in own { _ = try await wallet.transfer(job) }
      } else {
        for start in stride(from: 0, to: own.count, by: batch) {
          try await wallet.transferAll(own[start..<min(own.count, start + batch)])
        }
      }
    }
  }

  private func separateActors(_ jobs: [[Job]], _ plan: LoadPlan) async throws -> Double {
    let wallet = SeparateActorsWallet(
      Dictionary(uniqueKeysWithValues: plan.accounts.map { ($0, plan.startingBalance) }))
    return try await timed(jobs) { own in
      for job in own {
        try await wallet.transfer(job.transfer.amount.minorUnits, from: job.transfer.sender, to: job.transfer.recipient)
      }
    }
  }

  private func mutex(_ jobs: [[Job]], _ plan: LoadPlan, _ desk: ApprovalDesk, journalled: Bool) async throws -> Double {
    let wallet = MutexWallet(plan, desk: desk)
    return try await timed(jobs) { own in
      for job in own { _ = try wallet.transfer(job, journalled: journalled) }
    }
  }
}

extension WalletService {
  /// Several transfers in one visit.
  fileprivate func applyAll(_ jobs: ArraySlice<Throughput.Job>) throws {
    for job in jobs { try applyApprovedTransfer(job.transfer, approval: job.approval, key: job.key) }
  }
}

/// The domain without a journal: the same steps on the same types, with no way back, no keys and no durability.
@WalletActor
private final class BareWallet {
  private let balances = BalanceStore()
  private let ledger = LedgerRepository()
  private let rules = TransferRules()
  private let desk: ApprovalDesk.Identity
  private let clock = WalletClock.system

  init(_ plan: LoadPlan, desk: ApprovalDesk) {
    self.desk = desk.identity
    balances.start(plan.accounts, with: Money(minorUnits: plan.startingBalance, plan.currency))
  }

  func transfer(_ job: Throughput.Job) throws -> LedgerEntry {
    try rules.check(job.transfer)
    try job.approval.verify(job.transfer, key: job.key, desk: desk, at: clock.milliseconds)
    let left = try balances.debit(job.transfer.amount, from: job.transfer.sender).after
    // mainstay:disable:next unprotected_sequence - what a journal costs is measured against having none
    try balances.credit(job.transfer.amount, to: job.transfer.recipient)
    return ledger.record(.transfer(job.transfer), key: job.key, balance: left, at: clock.seconds)
  }

  func transferAll(_ jobs: ArraySlice<Throughput.Job>) throws {
    for job in jobs { _ = try transfer(job) }
  }
}

/// A lock instead of an actor.
private final class MutexWallet: Sendable {
  private final class Accounts {
    var balances: [AccountID: Money]
    var ledger: [LedgerEntry] = []
    let journal = Journal<TransferKey, WalletRequest, LedgerEntry>()

    init(_ balances: [AccountID: Money]) { self.balances = balances }

    func money(_ account: AccountID) throws -> Money {
      guard let balance = balances[account] else { throw WalletError.unknownAccount(account) }
      return balance
    }
  }
  private let accounts: Mutex<Accounts>
  private let rules = TransferRules()
  private let desk: ApprovalDesk.Identity
  private let clock = WalletClock.system

  init(_ plan: LoadPlan, desk: ApprovalDesk) {
    self.desk = desk.identity
    let start = Money(minorUnits: plan.startingBalance, plan.currency)
    accounts = Mutex(Accounts(Dictionary(uniqueKeysWithValues: plan.accounts.map { ($0, start) })))
  }

  func transfer(_ job: Throughput.Job, journalled: Bool) throws -> LedgerEntry {
    try accounts.withLock { accounts in
      guard journalled else { return try move(job, accounts).entry }
      return try accounts.journal.perform(id: job.key, .transfer(job.transfer)) { undo in
        let moved = try move(job, accounts)
        let accounts = accounts
        undo.onRollback {
          accounts.balances[job.transfer.sender] = moved.sender
          accounts.balances[job.transfer.recipient] = moved.recipient
          accounts.ledger.removeLast()
        }
        return moved.entry
      }
    }
  }

  private func move(_ job: Throughput.Job, _ accounts: Accounts) throws -> (
    entry: LedgerEntry, sender: Money, recipient: Money
  ) {
    let (transfer, rules) = (job.transfer, rules)
    try rules.check(transfer)
    try job.approval.verify(transfer, key: job.key, desk: desk, at: clock.milliseconds)
    let (sender, recipient) = (try accounts.money(transfer.sender), try accounts.money(transfer.recipient))
    let left = try rules.debit(transfer.amount, from: transfer.sender, with: sender)
    let sum = try rules.credit(transfer.amount, to: transfer.recipient, with: recipient)
    accounts.balances[transfer.sender] = left
    accounts.balances[transfer.recipient] = sum
    let entry = LedgerEntry(
      number: Int64(accounts.ledger.count) + 1, key: job.key, request: .transfer(transfer), balance: left,
      recordedAt: clock.seconds)
    accounts.ledger.append(entry)
    return (entry, sender, recipient)
  }
}
