/// `wallet bench`: figures, and trials that try to break the wallet.
import Foundation
import WalletTrials

enum Bench {
  private typealias Run = @Sendable (CommandLineArguments, Streams) async throws -> ExitCode
  private static let all: [(name: String, options: Set<String>, run: Run)] = [
    ("throughput", ["--transfers"], throughput),
    ("durable", ["--transfers", "--clients"], durable),
    ("domains", ["--transfers"], domains),
    ("invariant", ["--transfers", "--seed"], invariant),
    ("crash", ["--rounds", "--seed", "--postgres", "--server"], crash),
    ("processes", ["--transfers", "--postgres"], processes),
  ]

  static var names: [String] { all.map(\.name) }

  static func run(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    guard let bench = all.first(where: { $0.name == line.arguments[0] }) else {
      throw UsageError("there is no bench \"\(line.arguments[0])\"; there are \(names.joined(separator: ", "))")
    }
    try line.mustHeed(bench.options, for: bench.name)
    return try await bench.run(line, console)
  }

  private static func throughput(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    let transfers = try line.number("--transfers", in: 1_000...10_000_000, default: 200_000)
    let rows = try await Throughput(transfers: transfers).run()
    console.print("\(transfers) transfers from 4 tasks, in memory; median of 5 alternating rounds\n")
    let table = Table(
      columns: [.init("wallet"), .init("transfers/s", isNumber: true), .init("ns each", isNumber: true)],
      rows: rows.map { [$0.wallet, "\(Int($0.perSecond))", "\(Int(1e9 / $0.perSecond))"] })
    console.print(table.text())
    let ratio = rows[0].perSecond / rows[1].perSecond
    console.print("\njournalled / bare, at one a hop: \(two(ratio)) × (at most 3)")
    return ratio <= 3 ? .success : .discrepancy
  }

  private static func durable(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    let clients = try line.number("--clients", in: 1...10_000, default: 64)
    let folder = FileManager.default.temporaryDirectory.appending(path: "wallet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try await DurableThroughput(
      clients: clients, transfers: try line.number("--transfers", in: 100...10_000_000, default: 20_000),
      folder: folder.path
    ).run()
    console.print("SQLite, \(clients) clients that each wait for their receipt")
    console.print("one commit a transfer  \(Int(result.oneByOne)) transfers/s")
    console.print("group commit           \(Int(result.grouped)) transfers/s, \(two(result.ratio)) × (at least 8)")
    return result.ratio >= 8 ? .success : .discrepancy
  }

  private static func domains(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    let rows = try await DomainsTrial(
      transfers: try line.number("--transfers", in: 100...1_000_000, default: 1_000)
    ).run()
    console.print("A transfer every 0.7 ms, while another job that has nothing to do with it follows the other\n")
    let table = Table(
      columns: [
        .init("arrangement"), .init("transfer, median", isNumber: true), .init("p99", isNumber: true),
        .init("other jobs", isNumber: true), .init("each", isNumber: true),
      ],
      rows: rows.map {
        [
          $0.arrangement, microseconds($0.median), microseconds($0.p99), "\($0.others)",
          $0.other.map(microseconds) ?? "",
        ]
      })
    console.print(table.text())
    let (apart, together) = (rows[1].median / rows[0].median, rows[2].median / rows[0].median)
    console.print(
      "\nmedian, against the wallet alone: \(two(apart)) × with a domain each, \(two(together)) × on one actor")
    return together >= 10 * apart ? .success : .discrepancy
  }

  private static func invariant(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    let transfers = try line.number("--transfers", in: 100...100_000_000, default: 1_000_000)
    let result = try await InvariantTrial(
      transfers: transfers, seed: UInt64(try line.number("--seed", in: 0...1_000_000_000, default: 1))
    ).run()
    console.print(
      "\(transfers) random transfers, 100 accounts, 8 tasks: \(result.applied) receipts, \(result.refused) refused, "
        + "\(result.planted) failed inside, \(result.cancelled) cancelled, \(result.repeated) repeated with their key")
    return verdict(result.violations, console)
  }

  private static func crash(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    let rounds = try line.number("--rounds", in: 1...100_000, default: 200)
    let store: TrialStore
    var remove: URL?
    if let conninfo = line.option("--postgres") {
      store = .postgres(conninfo: conninfo)
    } else {
      let folder = FileManager.default.temporaryDirectory.appending(path: "wallet-crash-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      remove = folder
      store = .sqlite(path: folder.appending(path: "wallet.sqlite").path)
    }
    defer { if let remove { try? FileManager.default.removeItem(at: remove) } }
    let server = line.option("--server").map { PostgresScript(path: "scripts/postgres", folder: $0) }
    let result = try await CrashTrial(
      program: try ownPath(), store: store, rounds: rounds,
      seed: UInt64(try line.number("--seed", in: 0...1_000_000_000, default: 1)),
      crashServer: server.map { server in { @Sendable in try server.crash() } }
    ).run()
    console.print(
      "\(result.rounds) times killed under load (\(result.serverCrashes) times the server): \(result.acknowledged) "
        + "receipts acknowledged before, \(result.repeated) asked for again after")
    return verdict(result.violations, console)
  }

  private static func processes(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    guard let conninfo = line.option("--postgres") else {
      throw UsageError("bench processes needs --postgres; scripts/postgres starts a server")
    }
    let result = try await ProcessesTrial(
      program: try ownPath(), conninfo: conninfo,
      transfers: try line.number("--transfers", in: 100...10_000_000, default: 100_000)
    ).run()
    console.print(
      "\(result.transfers) transfers from 4 processes in \(Int(result.seconds)) s, "
        + "\(Int(Double(result.transfers) / result.seconds)) a second; \(result.refused) refused, \(result.shared) "
        + "answers to keys that all of them sent")
    return verdict(result.violations, console)
  }

  private static func verdict(_ violations: [String], _ console: Streams) -> ExitCode {
    for violation in violations.prefix(20) { console.print("VIOLATION  \(violation)") }
    console.print("\(violations.count) violations")
    return violations.isEmpty ? .success : .discrepancy
  }

  /// This program, to be started again.
  private static func ownPath() throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  }

  private static func two(_ value: Double) -> String { String(format: "%.2f", value) }

  private static func microseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return String(format: "%.1f µs", Double(seconds) * 1e6 + Double(attoseconds) * 1e-12)
  }
}
