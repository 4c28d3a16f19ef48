/// kill -9 under load: what was acknowledged is there, nothing is half, and a repeated key does nothing twice.
import Foundation
import WalletKit

/// Starts `wallet load`, kills it at a random moment, and compares what it had acknowledged with what is stored.
public struct CrashTrial: Sendable {
  public struct Result: Sendable, Equatable {
    public var rounds = 0
    public var acknowledged = 0
    /// Receipts that were asked for again, and compared.
    public var repeated = 0
    /// Rounds in which the database server was killed, and not the wallet.
    public var serverCrashes = 0
    public var violations: [String] = []
  }

  /// The `wallet` that was built.
  public var program: String
  public var store: TrialStore
  public var rounds: Int
  public var seed: UInt64
  /// Kills the database server and starts it again; every fourth round then does that.
  public var crashServer: (@Sendable () throws -> Void)?
  private let clients = 16

  public init(
    program: String, store: TrialStore, rounds: Int, seed: UInt64, crashServer: (@Sendable () throws -> Void)? = nil
  ) {
    self.program = program
    self.store = store
    self.rounds = rounds
    self.seed = seed
    self.crashServer = crashServer
  }

  @concurrent
  public func run() async throws -> Result {
    var result = Result()
    var generator = SeededGenerator(seed: seed)
    for round in 0..<rounds {
      let plan = try LoadPlan(seed: seed &* 1_000 &+ UInt64(round), accounts: 20, startingBalance: 100_000)
      let acknowledgements = Int.random(in: 1...120, using: &generator)
      // Commits take milliseconds: so much later is anywhere within one.
      let microseconds = UInt32.random(in: 0...8_000, using: &generator)
      let acknowledged: [LoadAnswer]
      if round % 4 == 3, let crashServer {
        acknowledged = try await crashingServer(plan, after: acknowledgements, crashServer)
        result.serverCrashes += 1
      } else {
        acknowledged = try await killing(plan, after: acknowledgements, microseconds)
      }
      result.rounds += 1
      result.acknowledged += acknowledged.count
      do {
        let repeated = try await check(acknowledged, plan)
        result.repeated += repeated.count
        result.violations += repeated.violations.map { "round \(round): \($0)" }
      } catch {
        result.violations.append("round \(round): \(error)")
      }
    }
    return result
  }

  private func arguments(_ plan: LoadPlan, transfers: Int) -> [String] {
    [
      "load", "--seed", "\(plan.seed)", "--transfers", "\(transfers)", "--clients", "\(clients)",
      "--accounts", "\(plan.accounts.count)", "--balance", "\(plan.startingBalance)",
    ] + store.arguments
  }

  /// The wallet dies.
  private func killing(
    _ plan: LoadPlan, after count: Int, _ microseconds: UInt32
  ) async throws -> [LoadAnswer] {
    let outcome = try await ChildProgram(
      path: program, arguments: arguments(plan, transfers: 10_000_000),
      afterLines: (
        count,
        { pid in
          usleep(microseconds); kill(pid, SIGKILL)
        }
      )
    ).run()
    if let status = outcome.status { throw TrialFailure("wallet load ended by itself, with status \(status)") }
    return outcome.lines.compactMap { LoadAnswer(line: $0) }.filter(\.isReceipt)
  }

  /// The server dies and comes back, and the wallet's clients go on with their keys.
  private func crashingServer(
    _ plan: LoadPlan, after count: Int, _ crash: @escaping @Sendable () throws -> Void
  ) async throws -> [LoadAnswer] {
    let outcome = try await ChildProgram(
      path: program, arguments: arguments(plan, transfers: count + 200),
      // A server that does not come back shows as a failed load.
      afterLines: (count, { _ in try? crash() })
    ).run()
    guard outcome.status == 0, outcome.lines.count == count + 200 else {
      throw TrialFailure("wallet load did not survive its server: status \(outcome.status ?? -1)")
    }
    return outcome.lines.compactMap { LoadAnswer(line: $0) }.filter(\.isReceipt)
  }

  private func check(
    _ acknowledged: [LoadAnswer], _ plan: LoadPlan
  ) async throws -> (count: Int, violations: [String]) {
    let desk = ApprovalDesk(checker: LimitChecker())
    return try await store.withWallet(desk) { wallet in
      var violations = try await wallet.verify().violations(plan.total)
      let before = try await answers(in: wallet)
      for answer in acknowledged where before[answer.key] != answer {
        violations.append(
          "\(answer.line) was acknowledged, and the ledger has \(before[answer.key]?.line ?? "nothing")")
      }
      // Every client sends again what it may have sent: more than was acknowledged, by as many as there are clients.
      let last = acknowledged.compactMap { Int($0.key.split(separator: "-").last ?? "") }.max() ?? 0
      let repeated = Answers()
      try await Load(plan, transfers: 0..<last + 1 + 2 * clients, clients: clients).run(on: wallet, desk: desk) {
        index, answer in
        if case .success(let entry) = answer { repeated.add(LoadAnswer(entry)) }
      }
      let again = repeated.byKey
      for answer in acknowledged where again[answer.key] != answer {
        violations.append("\(answer.line) was acknowledged, and repeated it is \(again[answer.key]?.line ?? "refused")")
      }
      // What was written without an acknowledgement answers with that line, and writes no other.
      let after = try await answers(in: wallet)
      for (key, answer) in before where after[key] != answer {
        violations.append("\(answer.line) has become \(after[key]?.line ?? "nothing")")
      }
      violations += try await wallet.verify().violations(plan.total)
      return (again.count, violations)
    }
  }

  private func answers(in wallet: any TransferStore) async throws -> [String: LoadAnswer] {
    var found: [String: LoadAnswer] = [:]
    for entry in try await wallet.ledger(after: 0, limit: .max) { found[entry.key.name] = LoadAnswer(entry) }
    return found
  }
}

/// A trial that could not be held.
public struct TrialFailure: Error, CustomStringConvertible {
  public let description: String
  init(_ description: String) { self.description = description }
}

extension LedgerAudit {
  /// What does not agree, the sum of all accounts included.
  func violations(_ total: Money) -> [String] {
    discrepancies + (totals == [total] ? [] : ["the sum is \(totals), not \(total)"])
  }
}
