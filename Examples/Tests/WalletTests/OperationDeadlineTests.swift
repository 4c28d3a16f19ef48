/// How long a command waits.
import Patience
import Synchronization
import Testing
import WalletKit

@testable import wallet

@Suite("An operation of the wallet command", .patient, .timeLimit(.minutes(10)))
struct OperationDeadlineTests {
  @Test(
    "has one deadline for all it waits for: opening, reading the currency, the fraud check, and the change",
    arguments: [
      (["open", "carl"], ["opening", "openAccount"]), (["deposit", "anna", "1"], ["opening", "balance", "deposit"]),
      (["transfer", "1", "anna", "ben"], ["opening", "balance", "check", "transfer"]),
    ])
  func oneDeadline(words: [String], steps: [String]) async throws {
    let waits = Waits()
    let desk = ApprovalDesk(checker: NotingChecker(waits: waits))
    let wallet = try await WalletService.open(desk: desk)
    for account in ["anna", "ben"] {
      _ = try await wallet.openAccount(AccountID(account), in: .euro, key: TransferKey("open-\(account)"))
    }
    _ = try await wallet.deposit(Money(minorUnits: 500, .euro), to: AccountID("anna"), key: TransferKey("fund"))

    let command = try #require(Command.named(words[0]))
    let line = try CommandLineArguments(command, words.dropFirst())
    let before = ContinuousClock.now
    let transcript = Transcript()
    let status = try await Operation.run(line, transcript.console) { use in
      waits.note("opening")
      return try await use(NotingStore(store: wallet, waits: waits), desk)
    }
    #expect(status == .success && transcript.lines.count == 1)
    let noted = waits.all
    #expect(noted.map(\.step) == steps)
    #expect(Set(noted.map(\.deadline)).count == 1)
    let deadline = try #require(noted.first?.deadline)
    #expect(deadline > before && deadline <= ContinuousClock.now + RetryPolicy.standard.within)
  }

  @Test("whose fraud check said nothing says that no money was moved, and the key to repeat it with")
  func unanswered() async throws {
    let command = try #require(Command.named("transfer"))
    let line = try CommandLineArguments(command, ["1", "anna", "ben"])
    let error = await #expect(throws: UnansweredOperation.self) {
      try await Operation.run(line, Transcript().console) { _ in
        throw WalletError.checkUnanswered(try TransferKey("late"))
      }
    }
    let text = try #require(error?.description)
    #expect(text.contains("no money was moved") && text.contains("repeat it with --key"))
  }
}

/// Each wait, with the deadline that it saw.
private final class Waits: Sendable {
  private let noted = Mutex([(step: String, deadline: ContinuousClock.Instant?)]())

  var all: [(step: String, deadline: ContinuousClock.Instant?)] { noted.withLock { $0 } }

  func note(_ step: String) { noted.withLock { $0.append((step, CallDeadline.instant)) } }
}

private struct NotingChecker: FraudChecker {
  let waits: Waits

  func examine(_ transfer: Transfer) async throws -> FraudVerdict {
    waits.note("check")
    return .approved
  }
}

private struct NotingStore: TransferStore {
  let store: WalletService
  let waits: Waits

  func openAccount(_ account: AccountID, in currency: Currency, key: TransferKey) async throws -> LedgerEntry {
    waits.note("openAccount")
    return try await store.openAccount(account, in: currency, key: key)
  }

  func deposit(_ amount: Money, to account: AccountID, key: TransferKey) async throws -> LedgerEntry {
    waits.note("deposit")
    return try await store.deposit(amount, to: account, key: key)
  }

  func transfer(_ transfer: Transfer, approval: TransferApproval, key: TransferKey) async throws -> LedgerEntry {
    waits.note("transfer")
    return try await store.transfer(transfer, approval: approval, key: key)
  }

  func receipt(of request: WalletRequest, key: TransferKey) async throws -> LedgerEntry? {
    waits.note("receipt")
    return try await store.receipt(of: request, key: key)
  }

  func balance(of account: AccountID) async throws -> Money {
    waits.note("balance")
    return try await store.balance(of: account)
  }

  func accounts() async throws -> [AccountBalance] { try await store.accounts() }
  func ledger(after number: Int64, limit: Int) async throws -> [LedgerEntry] {
    try await store.ledger(after: number, limit: limit)
  }
  func verify() async throws -> LedgerAudit { try await store.verify() }
}
