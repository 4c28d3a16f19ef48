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

  private enum Failed {
    /// To be sent again with the same key.
    case transfer(Transfer, TransferKey)
    case reading
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
  @ObservationIgnored private var reading: Task<Void, Never>?
  @ObservationIgnored private var isStale = false
  /// What ``outcome`` says has failed; nil when to do it again could not help.
  @ObservationIgnored private var failed: Failed?
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
      let lines = try await newestLines()
      // A newer reading is under way, or has been shown.
      guard number == refreshes else { return }
      self.accounts = accounts
      ledger = lines
      if case .reading = failed { (failed, outcome) = (nil, .none) }
    } catch {
      guard number == refreshes else { return }
      (failed, outcome) = (.reading, .failed("\(error)"))
    }
  }

  /// The lines that the page shows, read from the oldest of those that it shows now: in a wallet that several processes
  /// serve, a line may come after one with a higher number.
  private func newestLines() async throws -> [LedgerEntry] {
    let limit = 10_000
    var lines: [LedgerEntry] = []
    var last = (ledger.first?.number ?? 1) - 1
    while true {
      let page = try await store.ledger(after: last, limit: limit)
      lines = Array((lines + page).suffix(Self.shownLines))
      guard page.count == limit, let end = page.last else { return lines }
      last = end.number
    }
  }

  /// Reads again, because something was sent: one reading at a time, however many answers come during one.
  private func readAgain() {
    isStale = true
    guard reading == nil else { return }
    reading = Task {
      while isStale {
        isStale = false
        await refresh()
      }
      reading = nil
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
      (failed, outcome) = (nil, .failed("\(error)"))
    }
  }

  /// Whether something failed that may succeed when it is done again.
  public var canRetry: Bool { failed != nil && sending == 0 }

  /// Sends the transfer that failed last once more, with its key: if it happened after all, it does not happen twice. Reads
  /// again where that failed.
  public func retryTapped() {
    switch failed {
    case .transfer(let transfer, let key): send(transfer, key: key)
    case .reading: readAgain()
    case nil: break
    }
  }

  /// Returns when everything that was sent until now has its answer, and accounts and ledger show it.
  public func settle() async {
    for task in Array(tasks.values) { await task.value }
    await reading?.value
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
      tasks[number] = nil
      sending -= 1
      if case .success = result { readAgain() } else { failures += 1 }
      // The answer to an older transfer does not cover that to a newer one.
      guard number == lastTask else { return }
      outcome = Self.outcome(of: result)
      failed = Self.mayHelpAgain(result) ? .transfer(transfer, key) : nil
    }
  }

  nonisolated private static func mayHelpAgain(_ result: Result<LedgerEntry, any Error>) -> Bool {
    guard case .failure(let error) = result else { return false }
    return (error as? WalletError)?.isFinal != true
  }

  nonisolated private static func outcome(of result: Result<LedgerEntry, any Error>) -> Outcome {
    switch result {
    case .success(let entry): .sent(entry)
    case .failure(let error): .failed("\(error)")
    }
  }
}
