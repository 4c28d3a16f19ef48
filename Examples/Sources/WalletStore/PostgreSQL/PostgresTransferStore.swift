/// A wallet that several processes serve.
import Synchronization
import WalletKit

/// Decides inside a serialisable transaction of PostgreSQL.
///
/// Actor isolation ends at the process. Here the database keeps other work out between the check and the change: of two
/// transactions that would spend the same balance it refuses one, which is repeated, a bounded number of times and after
/// a random pause. What an actor gives within one process, and what this gives between several, is:
///
/// | guarantee | in one process | in several |
/// |---|---|---|
/// | check and change together | `@WalletActor`, one synchronous block | serialisable transaction |
/// | whole or not at all | `Journal`'s `Undo` | rollback of the transaction |
/// | once for each key | `Journal`'s keys | the ledger's unique key |
/// | never below zero | the rules | the rules, and a check of the table |
/// | durable before it is answered | `committed` of the group commit | `COMMIT` with `synchronous_commit` |
public final class PostgresTransferStore: TransferStore {
  /// A moment in the life of a commit; tests break the connection there.
  package enum Moment: Sendable { case beforeCommit, commitSent }

  private let lanes: [DatabaseQueue<PostgresConnection>]
  private let next = Atomic<Int>(0)
  private let conninfo: String
  private let desk: ApprovalDesk.Identity
  private let rules: TransferRules
  private let clock: WalletClock
  private let retry: RetryPolicy
  private let session: String
  private let silence: Duration
  private let refusals = Atomic<Int>(0)
  private let moment = Mutex<(@Sendable (Moment, PostgresConnectionIdentity) -> Void)?>(nil)

  /// Connects, and makes the tables if there are none. Where they are, nothing is written.
  ///
  /// - Parameters:
  ///   - conninfo: libpq's connection string, such as `host=127.0.0.1 dbname=wallet`.
  ///   - connections: how many transactions this process has under way at most.
  ///   - retry: how often a transaction is repeated that others came before, and how long one may take with all that.
  ///   - lockTimeout: how long a transaction waits for another one that does not end; at most two thirds of `silence`.
  ///   - silence: how long the server may say nothing, to a request or a new connection, before it counts as lost: no
  ///     longer than a call has in all, unless it is said otherwise.
  ///   - readingOnly: leaves the tables as they are; they must be there.
  /// - Throws: `StoreError`.
  public static func open(
    _ conninfo: String, connections: Int = 4, desk: ApprovalDesk, rules: TransferRules = TransferRules(),
    clock: WalletClock = .system,
    retry: RetryPolicy = RetryPolicy(attempts: 30, first: .milliseconds(2), longest: .milliseconds(200)),
    lockTimeout: Duration = .seconds(10), silence: Duration = RetryPolicy.standard.within, readingOnly: Bool = false
  ) async throws -> PostgresTransferStore {
    let store = PostgresTransferStore(
      conninfo, connections: connections, desk: desk, rules: rules, clock: clock, retry: retry,
      lockTimeout: lockTimeout, silence: silence)
    try await store.prepare(readingOnly: readingOnly)
    return store
  }

  /// Makes an empty database on the same server.
  ///
  /// - Returns: its connection string.
  package static func makeDatabase(_ name: String, on conninfo: String) async throws -> String {
    let store = PostgresTransferStore(
      conninfo, connections: 1, desk: ApprovalDesk(checker: LimitChecker()), rules: TransferRules(), clock: .system,
      retry: .once, lockTimeout: .seconds(10), silence: .seconds(60))
    defer { store.close() }
    try await store.execute("CREATE DATABASE \(name)")
    return conninfo + " dbname=\(name)"
  }

  /// Runs SQL on one connection: tests bring the database into a state that is hard to come by otherwise.
  package func execute(_ sql: String) async throws {
    try await onLane { try $0.execute(sql) }.get()
  }

  private init(
    _ conninfo: String, connections: Int, desk: ApprovalDesk, rules: TransferRules, clock: WalletClock,
    retry: RetryPolicy, lockTimeout: Duration, silence: Duration
  ) {
    self.conninfo = conninfo
    lanes = (0..<max(1, connections)).map { DatabaseQueue("wallet.postgresql.\($0)") }
    self.desk = desk.identity
    self.rules = rules
    self.clock = clock
    self.retry = retry
    self.silence = silence
    // The server's own answer comes first, and says more than silence does.
    session = PostgresSchema.session(lockTimeout: min(lockTimeout, silence * 2 / 3))
  }

  /// How often a transaction was repeated because others came before.
  public var repetitions: Int { refusals.load(ordering: .relaxed) }

  package func onMoment(_ action: (@Sendable (Moment, PostgresConnectionIdentity) -> Void)?) {
    moment.withLock { $0 = action }
  }

  /// Closes every connection after the work that is under way. The next call connects again.
  public func close() {
    for lane in lanes { lane.drain { $0 = nil } }
  }

  public func openAccount(_ account: AccountID, in currency: Currency, key: TransferKey) async throws -> LedgerEntry {
    let request = WalletRequest.open(account, currency)
    return try await decide(request, key) { transaction in
      if let existing = try transaction.balances([account])[account] {
        throw WalletError.accountExists(account, existing.currency)
      }
      try transaction.insert(account, currency)
      return .zero(currency)
    }
  }

  public func deposit(_ amount: Money, to account: AccountID, key: TransferKey) async throws -> LedgerEntry {
    let rules = rules
    return try await decide(.deposit(amount, to: account), key) { transaction in
      try rules.check(amount)
      guard let before = try transaction.balances([account])[account] else { throw WalletError.unknownAccount(account) }
      let sum = try rules.credit(amount, to: account, with: before)
      try transaction.set([(account, sum)])
      return sum
    }
  }

  public func transfer(_ transfer: Transfer, approval: TransferApproval, key: TransferKey) async throws -> LedgerEntry {
    let (rules, desk, clock) = (rules, desk, clock)
    return try await decide(.transfer(transfer), key) { transaction in
      try rules.check(transfer)
      try approval.verify(transfer, key: key, desk: desk, at: clock.milliseconds)
      let (sender, recipient) = (transfer.sender, transfer.recipient)
      let before = try transaction.balances([sender, recipient])
      guard let senderBefore = before[sender] else { throw WalletError.unknownAccount(sender) }
      guard let recipientBefore = before[recipient] else { throw WalletError.unknownAccount(recipient) }
      let left = try rules.debit(transfer.amount, from: sender, with: senderBefore)
      let sum = try rules.credit(transfer.amount, to: recipient, with: recipientBefore)
      try transaction.set([(sender, left), (recipient, sum)])
      return left
    }
  }

  public func receipt(of request: WalletRequest, key: TransferKey) async throws -> LedgerEntry? {
    do { return try await decide(request, key) { _ in throw NothingDone() } } catch is NothingDone { return nil }
  }

  public func balance(of account: AccountID) async throws -> Money {
    try await read { transaction in
      guard let balance = try transaction.balances([account], locking: false)[account] else {
        throw WalletError.unknownAccount(account)
      }
      return balance
    }
  }

  public func accounts() async throws -> [AccountBalance] {
    try await read { try $0.accounts() }
  }

  public func ledger(after number: Int64, limit: Int) async throws -> [LedgerEntry] {
    try await read { try $0.ledger(after: number, limit: limit) }
  }

  public func verify() async throws -> LedgerAudit {
    try await read { transaction in
      var replay = LedgerReplay()
      var last: Int64 = 0
      while case let page = try transaction.ledger(after: last, limit: 10_000), let end = page.last {
        for entry in page { try replay.replay(entry) }
        last = end.number
      }
      return replay.audit(against: try transaction.accounts())
    }
  }
}

extension PostgresTransferStore {
  private func prepare(readingOnly: Bool) async throws {
    try await onLane { try PostgresSchema.prepare($0, creating: !readingOnly) }.get()
  }

  /// Answers a key that is known; otherwise decides in a transaction, again while others came before.
  private func decide(
    _ request: WalletRequest, _ key: TransferKey,
    _ decision: @escaping @Sendable (PostgresTransaction) throws -> Money
  ) async throws -> LedgerEntry {
    let deadline = CallDeadline.after(retry.within)
    var failures = 0
    while true {
      let seconds = clock.seconds
      let moment = moment.withLock { $0 }
      let outcome = try await onLane(until: deadline) { connection in
        try PostgresTransaction.run(on: connection, request, key, at: seconds, moment, decision)
      }
      if let entry = try outcome.get() { return entry }
      failures += 1
      refusals.add(1, ordering: .relaxed)
      var generator = SystemRandomNumberGenerator()
      let pause = retry.pause(afterFailures: failures, using: &generator)
      guard failures < retry.attempts, ContinuousClock.now + pause < deadline else {
        throw WalletError.contended(key, attempts: failures)
      }
      try await Task.sleep(for: pause)
    }
  }

  /// Runs a transaction that only reads, all of one moment.
  private func read<Value: Sendable>(
    _ work: @escaping @Sendable (PostgresTransaction) throws -> Value
  ) async throws -> Value {
    try await onLane { connection in try PostgresTransaction.read(on: connection, work) }.get()
  }

  /// Runs work on the next connection, which is made if there is none, and thrown away when it was lost.
  ///
  /// - Parameter deadline: when the answer must be there; work whose turn comes later does not begin.
  private func onLane<Value: Sendable>(
    until deadline: ContinuousClock.Instant? = CallDeadline.instant,
    _ work: @escaping @Sendable (PostgresConnection) throws -> Value
  ) async throws -> Result<Value, any Error> {
    let lane = lanes[next.add(1, ordering: .relaxed).oldValue % lanes.count]
    return try await lane.run { [conninfo, session, silence] connection in
      if let deadline, ContinuousClock.now >= deadline { throw StoreError.outOfTime }
      if connection == nil {
        do {
          let opened = try PostgresConnection(conninfo, silence: silence, deadline: deadline)
          try opened.execute(session)
          connection = opened
        } catch let failure as PostgresFailure {
          throw StoreError.noConnection(reason: failure.reason)
        }
      }
      guard let opened = connection else { throw StoreError.noConnection(reason: "closed") }
      opened.deadline = deadline
      let result = Result { try work(opened) }.mapError { error in (error as? PostgresFailure)?.asStoreError ?? error }
      if case .failure(let error as StoreError) = result, error.isRetryable { connection = nil }
      return result
    }
  }
}

/// Which connection a commit runs on: what a test needs to break it.
package struct PostgresConnectionIdentity: Sendable {
  /// The server's process.
  package let backend: Int32
  /// The socket of this process.
  package let descriptor: Int32
}
