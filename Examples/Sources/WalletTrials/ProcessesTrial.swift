/// Several processes, one PostgreSQL: the rule holds where no actor reaches.
import WalletKit

/// Starts several `wallet load` at the same accounts: each with transfers of its own, then all with the same ones.
public struct ProcessesTrial: Sendable {
  public struct Result: Sendable, Equatable {
    public var transfers = 0
    public var refused = 0
    /// Answers to keys that several processes sent.
    public var shared = 0
    public var seconds = 0.0
    public var violations: [String] = []
  }

  public var program: String
  public var conninfo: String
  public var processes: Int
  public var transfers: Int
  public var seed: UInt64
  private let clients = 4
  private let accounts = 100

  public init(program: String, conninfo: String, processes: Int = 4, transfers: Int, seed: UInt64 = 1) {
    self.program = program
    self.conninfo = conninfo
    self.processes = processes
    self.transfers = transfers
    self.seed = seed
  }

  @concurrent
  public func run() async throws -> Result {
    var result = Result()
    let clock = ContinuousClock()
    let start = clock.now
    // One in a hundred is sent by every process.
    let shared = max(1, transfers / 100)
    let own = (transfers - shared) / processes
    var told: [String: LoadAnswer] = [:]
    for answers in try await all({ seed + 1 + UInt64($0) }, own) {
      for answer in answers { told[answer.key] = answer }
    }
    let same = try await all({ _ in seed }, shared)
    for answers in same {
      for answer in answers {
        // A transfer that was refused once may be affordable later; a receipt never changes.
        if let other = told[answer.key], other.isReceipt, answer.isReceipt, other != answer {
          result.violations.append("\(answer.key) has two receipts: \(other.line), and \(answer.line)")
        }
        if answer.isReceipt || told[answer.key] == nil { told[answer.key] = answer }
        result.shared += 1
      }
    }
    let length = start.duration(to: clock.now)
    result.seconds = Double(length.components.seconds) + Double(length.components.attoseconds) * 1e-18
    result.transfers = told.count
    result.refused = told.values.count { !$0.isReceipt }
    result.violations += try await check(told)
    return result
  }

  private func all(_ seed: (Int) -> UInt64, _ count: Int) async throws -> [[LoadAnswer]] {
    try await withThrowingTaskGroup(of: [LoadAnswer].self) { group in
      for process in 0..<processes {
        let arguments = [
          "load", "--seed", "\(seed(process))", "--transfers", "\(count)", "--clients", "\(clients)", "--accounts",
          "\(accounts)", "--postgres", conninfo,
        ]
        group.addTask {
          let outcome = try await ChildProgram(path: program, arguments: arguments).run()
          guard outcome.status == 0, outcome.lines.count == count else {
            throw TrialFailure(
              "wallet load ended with status \(outcome.status ?? -1) after \(outcome.lines.count) answers")
          }
          return outcome.lines.compactMap { LoadAnswer(line: $0) }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func check(_ told: [String: LoadAnswer]) async throws -> [String] {
    let plan = try LoadPlan(seed: seed, accounts: accounts)
    return try await TrialStore.postgres(conninfo: conninfo).withWallet(ApprovalDesk(checker: LimitChecker())) {
      wallet in
      var violations = try await wallet.verify().violations(plan.total)
      let lines = try await wallet.ledger(after: 0, limit: .max)
      let kept = lines.reduce(into: [:]) { $0[$1.key.name] = LoadAnswer($1) }
      if kept.count != lines.count { violations.append("\(lines.count - kept.count) keys are in the ledger twice") }
      for answer in told.values where answer.isReceipt && kept[answer.key] != answer {
        violations.append("\(answer.line) was acknowledged, and the ledger has \(kept[answer.key]?.line ?? "nothing")")
      }
      let receipts = told.values.count { $0.isReceipt } + 2 * accounts
      if receipts != lines.count {
        violations.append("the ledger has \(lines.count) lines, and \(receipts) were acknowledged")
      }
      return violations
    }
  }
}
