/// `wallet balance`, `ledger` and `verify`.
import WalletKit
import WalletStore

enum Reports {
  private static let formats = ["table", "json", "csv"]

  static func balance(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    let format = try line.choice("--format", formats)
    let account = try line.arguments.first.map { try AccountID($0) }
    let balances = try await OpenWallet.with(line) { store, _ in
      if let account { return [AccountBalance(account, try await store.balance(of: account))] }
      return try await store.accounts()
    }
    if format == "json" {
      console.print(try BalanceDocument(balances).document())
      return .success
    }
    let table = Table(
      columns: [.init("account"), .init("balance", isNumber: true), .init("currency")],
      rows: balances.map { [$0.account.name, $0.balance.number, $0.balance.currency.code] })
    console.print(table.text(format, width: console.width))
    return .success
  }

  static func ledger(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
    let format = try line.choice("--format", formats)
    let entries = try await OpenWallet.with(line) { store, _ in try await store.ledger(after: 0, limit: .max) }
    if format == "json" {
      console.print(try LedgerDocument(entries).document())
      return .success
    }
    let table = Table(
      columns: [
        .init("number", isNumber: true), .init("time"), .init("kind"), .init("from"), .init("to"),
        .init("amount", isNumber: true), .init("currency"), .init("balance", isNumber: true), .init("key"),
      ],
      rows: entries.map(row))
    console.print(table.text(format, width: console.width))
    return .success
  }

  private static func row(_ entry: LedgerEntry) -> [String] {
    let row = LedgerColumns(entry)
    return [
      "\(entry.number)", row.time, row.kind, row.sender?.name ?? "", row.recipient.name, row.amount?.number ?? "",
      entry.balance.currency.code, entry.balance.number, entry.key.name,
    ]
  }

  static func verify(_ line: CommandLineArguments, _ console: Streams) async throws -> ExitCode {
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
