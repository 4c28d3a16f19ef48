/// Random transfers with planted failures and cancellations: whatever happens, the rule holds.
import Synchronization
import WalletKit

/// Sends random transfers from several tasks; some fail inside, after a random step, and some are cancelled.
public struct InvariantTrial: Sendable {
  public struct Result: Sendable, Equatable {
    public var applied = 0
    public var refused = 0
    public var planted = 0
    public var cancelled = 0
    public var repeated = 0
    /// What did not hold; empty when all is well.
    public var violations: [String] = []
  }

  public var transfers: Int
  public var accounts: Int
  public var tasks: Int
  public var seed: UInt64
  /// One of so many fails inside, and one of so many is cancelled.
  public var oneIn: UInt64

  public init(transfers: Int, accounts: Int = 100, tasks: Int = 8, seed: UInt64 = 1, oneIn: UInt64 = 20) {
    self.transfers = transfers
    self.accounts = accounts
    self.tasks = tasks
    self.seed = seed
    self.oneIn = oneIn
  }

  @concurrent
  public func run() async throws -> Result {
    let plan = try LoadPlan(seed: seed, accounts: accounts, startingBalance: 10_000)
    let desk = ApprovalDesk(checker: YieldingChecker())
    let wallet = try await WalletService.open(desk: desk)
    try await plan.prepare(wallet)
    let failures = PlantedFailures()
    await failures.plant(in: wallet)

    let turn = Turn(0)
    let clients = try await withThrowingTaskGroup(of: Client.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          var client = Client(wallet: wallet, desk: desk, plan: plan, failures: failures, oneIn: oneIn)
          while case let index = turn.take(), index < transfers { try await client.send(index) }
          return client
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    return try await Self.judge(clients, wallet, plan)
  }

  /// Compares what the clients were told with the ledger, and the ledger with the balances.
  private static func judge(_ clients: [Client], _ wallet: WalletService, _ plan: LoadPlan) async throws -> Result {
    var result = Result()
    for client in clients { result.add(client.result) }
    let audit = try await wallet.verify()
    result.violations += audit.discrepancies
    if audit.totals != [plan.total] { result.violations.append("the sum is \(audit.totals), not \(plan.total)") }
    let entries = try await wallet.ledger(after: 0, limit: .max)
    var byKey: [TransferKey: LedgerEntry] = [:]
    for entry in entries where byKey.updateValue(entry, forKey: entry.key) != nil {
      result.violations.append("\(entry.key) is in the ledger twice")
    }
    var expected = 2 * plan.accounts.count
    for (key, answer) in clients.lazy.flatMap(\.answers) {
      switch answer {
      case .receipt(let entry):
        if byKey[key] != entry { result.violations.append("\(key) has another line than its receipt") }
        expected += 1
      case .nothing:
        if byKey[key] != nil { result.violations.append("\(key) was refused, and is in the ledger") }
      case .unknown:
        if byKey[key] != nil { expected += 1 }
      }
    }
    if entries.count != expected {
      result.violations.append("the ledger has \(entries.count) lines, and \(expected) were answered")
    }
    return result
  }
}

extension InvariantTrial.Result {
  fileprivate mutating func add(_ other: Self) {
    applied += other.applied
    refused += other.refused
    planted += other.planted
    cancelled += other.cancelled
    repeated += other.repeated
    violations += other.violations
  }
}

/// One client, and what it was told.
private struct Client: Sendable {
  enum Answer: Sendable {
    case receipt(LedgerEntry)
    /// It did not happen.
    case nothing
    /// It was cancelled, and may have happened.
    case unknown
  }

  let wallet: WalletService
  let desk: ApprovalDesk
  let plan: LoadPlan
  let failures: PlantedFailures
  let oneIn: UInt64
  var result = InvariantTrial.Result()
  var answers: [(TransferKey, Answer)] = []

  mutating func send(_ index: Int) async throws {
    var generator = SeededGenerator(seed: plan.seed ^ UInt64(index) &* 0xd6e8_feb8_6659_fd93)
    let key = try plan.key(index)
    let transfer = plan.transfer(index)
    let fate = UInt64.random(in: 0..<oneIn, using: &generator)
    var answer: Answer
    switch fate {
    case 0:
      failures.add(key)
      answer = await perform(transfer, key)
      // Half of the clients try again with the same key; the failure is planted once.
      if case .nothing = answer, Bool.random(using: &generator) { answer = await perform(transfer, key) }
    case 1:
      let (wallet, desk) = (wallet, desk)
      let task = Task { try await wallet.performTransfer(transfer, key: key, desk: desk) }
      // Cancelled at once, or when it is somewhere in the middle.
      for _ in 0..<Int.random(in: 0...3, using: &generator) { await Task.yield() }
      task.cancel()
      answer = record(await task.result)
    default:
      answer = await perform(transfer, key)
    }
    if case .receipt(let entry) = answer, UInt64.random(in: 0..<oneIn, using: &generator) == 0 {
      try await replay(transfer, key, entry)
    }
    answers.append((key, answer))
    if index % 1_000 == 0 { try await checkSum() }
  }

  private mutating func perform(_ transfer: Transfer, _ key: TransferKey) async -> Answer {
    do {
      return record(.success(try await wallet.performTransfer(transfer, key: key, desk: desk)))
    } catch {
      return record(.failure(error))
    }
  }

  private mutating func record(_ outcome: Swift.Result<LedgerEntry, any Error>) -> Answer {
    switch outcome {
    case .success(let entry):
      result.applied += 1
      return .receipt(entry)
    case .failure(is CancellationError):
      result.cancelled += 1
      return .unknown
    case .failure(is PlantedFailures.Failure):
      result.planted += 1
      return .nothing
    case .failure(WalletError.insufficientFunds):
      result.refused += 1
      return .nothing
    case .failure(let error):
      result.violations.append("an error that nobody planted: \(error)")
      return .nothing
    }
  }

  /// A client that did not hear the answer asks again.
  private mutating func replay(_ transfer: Transfer, _ key: TransferKey, _ entry: LedgerEntry) async throws {
    let again = try await wallet.performTransfer(transfer, key: key, desk: desk)
    result.repeated += 1
    if again != entry { result.violations.append("\(key) has another receipt the second time") }
  }

  /// While the others go on.
  private mutating func checkSum() async throws {
    let accounts = try await wallet.accounts()
    let sum = accounts.reduce(0) { $0 + $1.balance.minorUnits }
    if sum != plan.total.minorUnits { result.violations.append("the sum was \(sum) in between") }
    if let account = accounts.first(where: { $0.balance.minorUnits < 0 }) {
      result.violations.append("\(account.account) was below zero: \(account.balance)")
    }
  }
}

/// Failures that wait for their transfers.
private final class PlantedFailures: Sendable {
  struct Failure: Error {}

  private let due = Mutex<Set<TransferKey>>([])

  func add(_ key: TransferKey) { due.withLock { _ = $0.insert(key) } }

  /// A transfer whose key is due fails once, after a step that its key decides.
  @WalletActor
  func plant(in wallet: WalletService) {
    wallet.afterStep = { step, key in
      let steps = WalletService.Step.allCases
      let chosen = key.name.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
      guard step == steps[abs(chosen % steps.count)] else { return }
      if self.due.withLock({ $0.remove(key) }) != nil { throw Failure() }
    }
  }
}

/// A fraud check that lets others go first, and ends when it is cancelled.
private struct YieldingChecker: FraudChecker {
  @concurrent
  func examine(_ transfer: Transfer) async throws -> FraudVerdict {
    await Task.yield()
    try Task.checkCancellation()
    return .approved
  }
}
