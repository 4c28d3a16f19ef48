/// What the wallet's page shows, and what it sends.
import Foundation
import Observation
import WalletKit

/// The state of the wallet's page. It is on the main actor because a screen shows it; the money is not.
///
/// Amounts are text until a person has sent them, and become ``Money`` here, at the edge. Each `await` is the way out of
/// the user interface into the wallet's domain, or back.
@Observable
public final class WalletViewModel {
  /// What became of the newest transfer that was sent.
  public enum Outcome: Equatable, Sendable {
    case none
    case sent(LedgerEntry)
    /// In words for the page: what happened and what to do next.
    case failed(String)
  }

  public private(set) var accounts: [AccountBalance] = []
  /// The newest lines of the ledger, oldest first.
  public private(set) var ledger: [LedgerEntry] = []
  public private(set) var outcome = Outcome.none
  /// How many transfers failed, older ones included.
  public private(set) var failures = 0
  /// How many transfers are under way.
  public private(set) var sending = 0

  @ObservationIgnored private let store: any TransferStore
  @ObservationIgnored private let desk: ApprovalDesk
  @ObservationIgnored private var tasks: [Int: Task<Void, Never>] = [:]
  @ObservationIgnored private var lastTask = 0
  @ObservationIgnored private var refreshes = 0
  @ObservationIgnored private var shownFrom: Int64 = 0
  /// The transfer that failed last, to be sent again with the same key.
  @ObservationIgnored private var failed: (transfer: Transfer, key: TransferKey)?
  /// How many lines of the ledger the page shows.
  public static let shownLines = 100

  public init(store: any TransferStore, desk: ApprovalDesk) {
    self.store = store
    self.desk = desk
  }

  /// Reads accounts and ledger.
  public func refresh() async {
    refreshes += 1
    let number = refreshes
    do {
      let accounts = try await store.accounts()
      let lines = try await store.ledger(after: shownFrom, limit: 10_000)
      // A newer reading is under way, or has been shown.
      guard number == refreshes else { return }
      show(accounts, lines)
    } catch {
      guard number == refreshes else { return }
      outcome = .failed("\(error)")
    }
  }

  /// Sends what the form says. Called synchronously from the page: the state says "sending" before this returns.
  public func sendTapped(amount: String, from sender: String, to recipient: String) {
    do {
      let sender = try AccountID(sender)
      guard let account = accounts.first(where: { $0.account == sender }) else {
        throw WalletError.unknownAccount(sender)
      }
      let money = try Money(parsing: amount, account.balance.currency)
      let transfer = Transfer(money, from: sender, to: try AccountID(recipient))
      send(transfer, key: try TransferKey(UUID().uuidString))
    } catch {
      outcome = .failed("\(error)")
    }
  }

  /// Whether there is a failed transfer to send again.
  public var canRetry: Bool { failed != nil && sending == 0 }

  /// Sends the transfer that failed last once more, with its key: if it happened after all, it does not happen twice.
  public func retryTapped() {
    guard let (transfer, key) = failed else { return }
    send(transfer, key: key)
  }

  /// Returns when everything that was sent until now has its answer.
  public func settle() async {
    for task in Array(tasks.values) { await task.value }
  }

  private func send(_ transfer: Transfer, key: TransferKey) {
    sending += 1
    lastTask += 1
    let number = lastTask
    tasks[number] = Task {
      let result: Result<LedgerEntry, any Error>
      do {
        result = .success(try await store.performTransfer(transfer, key: key, desk: desk))
      } catch {
        result = .failure(error)
      }
      finish(number, transfer, key, result)
      // The answer to an older transfer does not cover that to a newer one.
      guard number == lastTask else { return }
      outcome = Self.outcome(of: result)
    }
  }

  private func finish(
    _ number: Int, _ transfer: Transfer, _ key: TransferKey, _ result: Result<LedgerEntry, any Error>
  ) {
    tasks[number] = nil
    sending -= 1
    switch result {
    case .success:
      if failed?.key == key { failed = nil }
    case .failure:
      failures += 1
      failed = (transfer, key)
    }
  }

  nonisolated private static func outcome(of result: Result<LedgerEntry, any Error>) -> Outcome {
    switch result {
    case .success(let entry): .sent(entry)
    case .failure(let error): .failed("\(error)")
    }
  }

  private func show(_ accounts: [AccountBalance], _ lines: [LedgerEntry]) {
    self.accounts = accounts
    let known = ledger.last?.number ?? 0
    ledger = Array((ledger + lines.filter { $0.number > known }).suffix(Self.shownLines))
    shownFrom = ledger.last?.number ?? 0
  }
}
