/// `wallet demo double-spend`: the bug between objects, counted, and gone.
import WalletTrials

enum Demo {
  static func run(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    guard line.arguments == ["double-spend"] else {
      throw UsageError("there is no demo \"\(line.arguments[0])\"; there is double-spend")
    }
    let rounds = try line.number("--rounds", in: 1...1_000_000, default: 1_000)
    let rows = try await DoubleSpend(rounds: rounds).run()
    console.print("1,000 on the account, two transfers of 800 at the same moment, \(rounds) times:\n")
    let table = Table(
      columns: [
        .init("wallet"), .init("spent twice", isNumber: true), .init("of", isNumber: true),
        .init("least left", isNumber: true),
      ],
      rows: rows.map { [$0.wallet, "\($0.spentTwice)", "\($0.rounds)", "\($0.worst)"] })
    console.print(table.text())
    let domain = rows.last
    return domain?.spentTwice == 0 ? .success : .discrepancy
  }
}
