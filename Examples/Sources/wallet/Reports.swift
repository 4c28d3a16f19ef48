/// `wallet balance`, `ledger` and `verify`.
import WalletKit
import WalletStore

enum Reports {
  private static let formats = ["table", "json", "csv"]

  static func balance(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    let words = try line.arguments("[ACCOUNT]")
    let format = try line.choice("--format", formats)
    let account = try words.first.map { try AccountID($0) }
    let balances = try await OpenWallet.with(line) { store, _ in
      if let account { return [AccountBalance(account, try await store.balance(of: account))] }
      return try await store.accounts()
    }
    let table = Table(
      columns: [.init("account"), .init("balance", isNumber: true), .init("currency")],
      rows: balances.map { [$0.account.name, $0.balance.number, $0.balance.currency.code] })
    console.print(try table.text(format, width: console.width))
    return .success
  }

  static func ledger(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    _ = try line.arguments()
    let format = try line.choice("--format", formats)
    let entries = try await OpenWallet.with(line) { store, _ in try await store.ledger(after: 0, limit: .max) }
    let table = Table(
      columns: [
        .init("number", isNumber: true), .init("time"), .init("kind"), .init("from"), .init("to"),
        .init("amount", isNumber: true), .init("currency"), .init("balance", isNumber: true), .init("key"),
      ],
      rows: entries.map(row))
    console.print(try table.text(format, width: console.width))
    return .success
  }

  private static func row(_ entry: LedgerEntry) -> [String] {
    let (kind, sender, recipient, amount): (String, String, String, String) =
      switch entry.request {
      case .open(let account, _): ("open", "", account.name, "")
      case .deposit(let money, let account): ("deposit", "", account.name, money.number)
      case .transfer(let transfer):
        ("transfer", transfer.sender.name, transfer.recipient.name, transfer.amount.number)
      }
    return [
      "\(entry.number)", Table.time(entry.recordedAt), kind, sender, recipient, amount, entry.balance.currency.code,
      entry.balance.number, entry.key.name,
    ]
  }

  static func verify(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    _ = try line.arguments()
    let audit: LedgerAudit
    if line.option("--postgres") != nil {
      audit = try await OpenWallet.with(line) { store, _ in try await store.verify() }
    } else {
      // Without the wallet, which refuses to open a ledger that does not agree.
      let store = try await OpenWallet.file(line)
      defer { store.close() }
      audit = try await store.verify()
    }
    for discrepancy in audit.discrepancies { console.print(discrepancy) }
    let sums = audit.totals.map(\.description).joined(separator: ", ")
    let agree = audit.discrepancies.isEmpty ? "agree" : "DO NOT AGREE"
    console.print(
      "\(counted(audit.accounts, "account")) and \(counted(audit.entries, "line")) of the ledger \(agree)"
        + (sums.isEmpty ? "" : "; together \(sums)"))
    return audit.discrepancies.isEmpty ? .success : .discrepancy
  }

  private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
