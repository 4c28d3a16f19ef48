/// A server that is there and says nothing.
import Foundation
import Patience
import Synchronization
import Testing
import WalletKit
import WalletStore
import WalletTrials

@Suite(
  "A PostgreSQL server that is frozen", .enabled(if: TestPostgres.isHere, TestPostgres.comment), .patient,
  .timeLimit(.minutes(10))
)
struct PostgresSilenceTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../scripts/postgres").standardizedFileURL.path

  @Test("keeps no request waiting for ever: nothing has changed, or nobody knows; and the key does it once afterwards")
  func frozen() async throws {
    // A server of its own, because others would wait with it.
    let folder = "/tmp/wallet-frozen-\(UUID().uuidString.prefix(8))"
    let server = PostgresScript(path: Self.script, folder: folder)
    let conninfo = try await onThread { try server.start() }
    do {
      try await tryFrozen(conninfo, try FrozenServer(folder: folder))
    } catch {
      try await onThread { try server.stop() }
      throw error
    }
    try await onThread { try server.stop() }
  }

  private func tryFrozen(_ conninfo: String, _ server: FrozenServer) async throws {
    defer { server.thaw() }
    let desk = ApprovalDesk(checker: LimitChecker())
    let a = try AccountID("a")
    let (first, second) = (try TransferKey("d1"), try TransferKey("d2"))
    let money = Money(minorUnits: 500, .euro)
    let store = try await answered {
      try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk, silence: .seconds(2))
    }
    defer { store.close() }
    _ = try await answered { try await store.openAccount(a, in: .euro, key: TransferKey("open-a")) }

    try server.freeze()
    let lost = await #expect(throws: StoreError.self) { try await store.deposit(money, to: a, key: first) }
    guard case .connectionLost(let reason) = lost else { throw Unexpected(error: lost) }
    #expect(reason.contains("does not answer"))
    // That connection is gone, and a new one is not answered either.
    let none = await #expect(throws: StoreError.self) { try await store.deposit(money, to: a, key: first) }
    guard case .noConnection = none else { throw Unexpected(error: none) }
    server.thaw()
    #expect(try await answered { try await store.balance(of: a) } == .zero(.euro))
    let receipt = try await answered { try await store.deposit(money, to: a, key: first) }
    #expect(try await answered { try await store.deposit(money, to: a, key: first) } == receipt)

    let isFrozen = Atomic<Bool>(false)
    store.onMoment { moment, _ in
      guard moment == .beforeCommit else { return }
      isFrozen.store(true, ordering: .relaxed)
      try? server.freeze()
    }
    var unknown: StoreError?
    while !isFrozen.load(ordering: .relaxed) {
      unknown = await #expect(throws: StoreError.self) { try await store.deposit(money, to: a, key: second) }
    }
    guard case .outcomeUnknown(second, let reason) = unknown else { throw Unexpected(error: unknown) }
    #expect(reason.contains("does not answer") && unknown?.isRetryable == true)
    store.onMoment(nil)
    server.thaw()
    _ = try await answered { try await store.deposit(money, to: a, key: second) }
    #expect(try await answered { try await store.balance(of: a) } == Money(minorUnits: 1_000, .euro))
    #expect(try await answered { try await store.ledger(after: 0, limit: .max) }.count == 3)
    try await tryDeadline(conninfo, server)
  }

  /// Asks again while the server, which is not frozen, was too slow for a silence of two seconds.
  private func answered<Value>(_ ask: () async throws -> Value) async throws -> Value {
    while true {
      do { return try await ask() } catch let error as StoreError where error.isRetryable {
        try Task.checkCancellation()
      }
    }
  }

  /// Every attempt would wait for an hour, and each client for those before it: that the calls end is the test.
  private func tryDeadline(_ conninfo: String, _ server: FrozenServer) async throws {
    let checker = CountingChecker()
    let desk = ApprovalDesk(checker: checker)
    let (a, b) = (try AccountID("a"), try AccountID("b"))
    let store = try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk, silence: .seconds(3_600))
    defer { store.close() }
    _ = try await store.openAccount(b, in: .euro, key: TransferKey("open-b"))
    let transfer = Transfer(Money(minorUnits: 1, .euro), from: a, to: b)
    let policy = RetryPolicy(attempts: 5, first: .zero, longest: .zero, within: .seconds(3_600))

    try server.freeze()
    var seconds = 1
    var errors: [any RetryableError]
    repeat {
      // Where not even one client had its turn in time, the machine was slower than that.
      seconds *= 2
      checker.examined.store(0, ordering: .relaxed)
      let end = ContinuousClock.now + .seconds(seconds)
      errors = try await withThrowingTaskGroup(of: (any RetryableError).self) { group in
        for client in 0..<8 {
          group.addTask {
            do {
              _ = try await CallDeadline.$instant.withValue(end) {
                try await store.performTransfer(transfer, key: TransferKey("late-\(client)"), desk: desk, retry: policy)
              }
              throw Unexpected(error: nil)
            } catch let error as any RetryableError {
              return error
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    } while !errors.contains { "\($0)".contains("the time of the call is over") }
    #expect(errors.count == 8 && errors.allSatisfy(\.isRetryable))
    let unbegun = errors.count { error in
      if case .checkUnanswered = error as? WalletError { return true }
      return error as? StoreError == .outOfTime
    }
    #expect(unbegun == 7, "whose turn comes too late does not begin: \(errors)")
    #expect(
      checker.examined.load(ordering: .relaxed) <= 16, "attempts end with the time of the call, and not after five")

    server.thaw()
    for client in 0..<8 {
      _ = try await store.performTransfer(transfer, key: TransferKey("late-\(client)"), desk: desk)
    }
    #expect(try await store.balance(of: b) == Money(minorUnits: 8, .euro))
  }

  private struct Unexpected: Error { let error: StoreError? }

  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
  }
}

/// Stops and continues the processes of a server on this machine.
private struct FrozenServer {
  private let postmaster: pid_t

  init(folder: String) throws {
    let lines = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8).split(separator: "\n")
    postmaster = try #require(lines.first.flatMap { pid_t($0) })
  }

  func freeze() throws {
    // First the one that would start others.
    try #require(kill(postmaster, SIGSTOP) == 0)
    for child in children() { kill(child, SIGSTOP) }
  }

  func thaw() {
    for child in children() { kill(child, SIGCONT) }
    kill(postmaster, SIGCONT)
  }

  private func children() -> [pid_t] {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap { pid_t($0) }.filter { process in
      let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      return status?.split(separator: "\n").contains { $0 == "PPid:\t\(postmaster)" } ?? false
    }
  }
}

/// A fraud check that counts the attempts: each begins with it.
private final class CountingChecker: FraudChecker {
  let examined = Atomic<Int>(0)

  func examine(_ transfer: Transfer) async throws -> FraudVerdict {
    examined.add(1, ordering: .relaxed)
    return .approved
  }
}
