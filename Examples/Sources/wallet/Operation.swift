/// `wallet open`, `deposit` and `transfer`.
import Foundation
import WalletKit
import WalletStore

enum Operation {
  /// Opens the wallet for as long as `use` works in it.
  typealias Opening = (_ use: (any TransferStore, ApprovalDesk) async throws -> LedgerEntry) async throws -> LedgerEntry

  static func run(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    try await run(line, console) { use in try await OpenWallet.with(line, use) }
  }

  static func run(
    _ line: CommandLineArguments, _ console: Streams, opening: Opening
  ) async throws -> ExitCode {
    let key = try TransferKey(line.option("--key") ?? UUID().uuidString)
    let operation = try parse(line)
    let isOwnKey = line.option("--key") == nil
    let entry: LedgerEntry
    do {
      // One for all that is waited for: the opening, the look at the account's currency, the check, and the transfer.
      entry = try await CallDeadline.$instant.withValue(CallDeadline.after(RetryPolicy.standard.within)) {
        try await opening { store, desk in try await operation(store, desk, key) }
      }
    } catch  where isOwnKey && isToBeRepeated(error) {
      throw UnansweredOperation(key: key, cause: error)
    }
    console.print(text(entry))
    if isOwnKey { console.note("key \(key): give it with --key to ask again") }
    return .success
  }

  /// Whether the error asks for the same request with its key: after a refusal there is nothing to repeat.
  private static func isToBeRepeated(_ error: any Error) -> Bool {
    switch error as? StoreError {
    case .full, .failed: true
    default: (error as? any RetryableError)?.isRetryable == true
    }
  }

  private typealias Work = (any TransferStore, ApprovalDesk, TransferKey) async throws -> LedgerEntry

  private static func parse(_ line: CommandLineArguments) throws -> Work {
    let words = line.arguments
    switch line.command.name {
    case "open":
      let account = try AccountID(words[0])
      let currency = try words.count > 1 ? Currency(code: words[1]) : .euro
      return { store, _, key in try await store.openAccount(account, in: currency, key: key) }
    case "deposit":
      let account = try AccountID(words[0])
      return { store, _, key in
        let money = try Money(parsing: words[1], try await store.balance(of: account).currency)
        return try await store.deposit(money, to: account, key: key)
      }
    default:
      let (sender, recipient) = (try AccountID(words[1]), try AccountID(words[2]))
      return { store, desk, key in
        let money = try Money(parsing: words[0], try await store.balance(of: sender).currency)
        return try await store.performTransfer(Transfer(money, from: sender, to: recipient), key: key, desk: desk)
      }
    }
  }

  private static func text(_ entry: LedgerEntry) -> String {
    let number = "\(entry.number)."
    return switch entry.request {
    case .open(let account, let currency): "\(number) \(account) opened in \(currency)"
    case .deposit(let amount, let account): "\(number) \(amount) to \(account), which has \(entry.balance) now"
    case .transfer(let transfer):
      "\(number) \(transfer.amount) from \(transfer.sender), which has \(entry.balance) left, to \(transfer.recipient)"
    }
  }
}

/// An operation that failed before it had a receipt, and whose key the program chose: nobody else can name it.
struct UnansweredOperation: Error, CustomStringConvertible {
  let key: TransferKey
  let cause: any Error

  var description: String { "\(cause). Its key is \(key): repeat it with --key \(key)" }
}
