import Foundation
import Patience
import Testing
import WalletKit
import WalletTrials

/// The trials of `make soak`, shorter.
@Suite("However hard one tries", .serialized, .patient, .timeLimit(.minutes(10)))
struct TrialTests {
  /// The command, beside the executable that runs the tests.
  private static let wallet: String = {
    let tests =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "wallet").path
  }()
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../scripts/postgres").standardizedFileURL.path

  @Test(
    "random transfers with planted failures and cancellations: the sum is constant, nothing is negative, the ledger replays"
  )
  func invariant() async throws {
    let result = try await InvariantTrial(transfers: 20_000).run()
    #expect(result.violations == [])
    // The trial tries what it says.
    #expect(result.applied > 10_000 && result.planted > 300 && result.cancelled > 100 && result.refused > 10)
  }

  @Test("kill -9 under load, SQLite, 20 times: nothing acknowledged is lost, nothing is half, no key does it twice")
  func crashSQLite() async throws {
    try await TestFolder.with { folder in
      let result = try await CrashTrial(
        program: Self.wallet, store: .sqlite(path: folder + "/wallet.sqlite"), rounds: 20, seed: 1
      ).run()
      #expect(result.violations == [])
      #expect(result.rounds == 20 && result.acknowledged >= 20 && result.repeated > result.acknowledged)
    }
  }

  @Test(
    "kill -9 under load, PostgreSQL, 20 times, five of them the server: nothing is lost, half or done twice",
    .enabled(if: TestPostgres.isHere, TestPostgres.comment))
  func crashPostgres() async throws {
    // A server of its own, because others would not survive it.
    let folder = "/tmp/wallet-crash-\(UUID().uuidString.prefix(8))"
    let server = PostgresScript(path: Self.script, folder: folder)
    let conninfo = try await onThread { try server.start() }
    let result: CrashTrial.Result
    do {
      result = try await CrashTrial(
        program: Self.wallet, store: .postgres(conninfo: conninfo), rounds: 20, seed: 2,
        crashServer: { try server.crash() }
      ).run()
    } catch {
      try await onThread { try server.stop() }
      throw error
    }
    try await onThread { try server.stop() }
    #expect(result.violations == [])
    #expect(result.rounds == 20 && result.serverCrashes == 5 && result.acknowledged >= 20)
  }

  @Test(
    "four processes on one PostgreSQL: the rule holds, and a key that all of them send is done once",
    .enabled(if: TestPostgres.isHere, TestPostgres.comment))
  func processes() async throws {
    let result = try await ProcessesTrial(
      program: Self.wallet, conninfo: try await TestPostgres.database(), transfers: 1_000
    ).run()
    #expect(result.violations == [])
    #expect(result.transfers == 990 / 4 * 4 + 10 && result.shared == 40)
  }

  /// Scripts block.
  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
  }
}
