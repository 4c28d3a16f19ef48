/// `wallet load`: random transfers, and a line for each receipt the moment it may leave.
import WalletKit
import WalletStore
import WalletTrials

enum LoadCommand {
  static func run(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    let plan = try LoadPlan(
      seed: UInt64(line.number("--seed", in: 0...1_000_000_000, default: 1)),
      accounts: line.number("--accounts", in: 2...100_000, default: 100),
      startingBalance: Int64(line.number("--balance", in: 1...1_000_000_000_000, default: 1_000_000)))
    let clients = try line.number("--clients", in: 1...10_000, default: 16)
    let load = Load(
      plan, transfers: 0..<(try line.number("--transfers", in: 1...100_000_000, default: 1_000)), clients: clients)
    try await RetryPolicy.$standard.withValue(.patient) {
      try await OpenWallet.with(line, connections: min(clients, 8)) { store, desk in
        try await plan.prepare(store)
        try await load.run(on: store, desk: desk) { index, answer in
          guard let key = try? plan.key(index) else { return }
          console.print(LoadAnswer(key, answer).line)
        }
        if let store = store as? PostgresTransferStore {
          console.note("\(store.repetitions) transactions were repeated, because others came before")
        }
      }
    }
    return .success
  }
}
