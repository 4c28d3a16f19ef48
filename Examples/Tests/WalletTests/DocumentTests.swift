import Foundation
import Patience
import Testing
import WalletKit

@testable import wallet

@Suite("The documents of the wallet command", .patient, .timeLimit(.minutes(10)))
struct DocumentTests {
  /// The text of a field, as it stands in a document.
  private func texts(_ field: String, in document: String) -> [String] {
    document.matches(of: /"(\w+)" : ([^\n]*[^\n,]),?/).filter { $0.1 == field }.map { String($0.2) }
  }

  private func accounts(_ lines: [(String, Int64, Currency)]) throws -> [AccountBalance] {
    try lines.map { AccountBalance(try AccountID($0.0), Money(minorUnits: $0.1, $0.2)) }
  }

  @Test("balances are numbers, whatever their size and their currency's digits, and nothing is rounded")
  func balances() throws {
    let document = try BalanceDocument(
      accounts([
        ("a", 1_250, .euro), ("b", .max, .euro), ("c", 9_007_199_254_740_993, .kuwaitiDinar), ("d", 7, .yen),
        ("e", 0, .euro),
      ])
    ).document()
    #expect(
      texts("balance", in: document) == ["12.5", "92233720368547758.07", "9007199254740.993", "7", "0"])
    #expect(
      texts("balanceMinorUnits", in: document) == ["1250", "9223372036854775807", "9007199254740993", "7", "0"])
    #expect(texts("currency", in: document) == ["\"EUR\"", "\"EUR\"", "\"KWD\"", "\"JPY\"", "\"EUR\""])
    #expect(texts("schema", in: document) == ["\"wallet.balance/1\""])
  }

  @Test("a ledger's numbers and amounts are numbers, and what a line has not got is not there")
  func ledger() throws {
    let (a, b) = (try AccountID("a"), try AccountID("b"))
    let entries = [
      LedgerEntry(
        number: 1, key: try TransferKey("1"), request: .open(a, .euro), balance: .zero(.euro), recordedAt: 0),
      LedgerEntry(
        number: 2, key: try TransferKey("k2"), request: .deposit(Money(minorUnits: 100_01, .euro), to: a),
        balance: Money(minorUnits: 100_01, .euro), recordedAt: 60),
      LedgerEntry(
        number: 3, key: try TransferKey("k3"),
        request: .transfer(Transfer(Money(minorUnits: 1, .euro), from: a, to: b)),
        balance: Money(minorUnits: 100_00, .euro), recordedAt: 61),
    ]
    let document = try LedgerDocument(entries).document()
    #expect(texts("schema", in: document) == ["\"wallet.ledger/1\""])
    #expect(texts("number", in: document) == ["1", "2", "3"])
    #expect(texts("amount", in: document) == ["100.01", "0.01"])
    #expect(texts("amountMinorUnits", in: document) == ["10001", "1"])
    #expect(texts("balance", in: document) == ["0", "100.01", "100"])
    #expect(texts("from", in: document) == ["\"a\""] && texts("to", in: document) == ["\"a\"", "\"a\"", "\"b\""])
    #expect(texts("key", in: document) == ["\"1\"", "\"k2\"", "\"k3\""], "a name stays text")
    #expect(texts("time", in: document).last == "\"1970-01-01T00:01:01Z\"")
  }

  @Test("the README names every field of both")
  func documented() throws {
    let readme = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md"),
      encoding: .utf8)
    let entry = LedgerEntry(
      number: 1, key: try TransferKey("k"),
      request: .transfer(Transfer(Money(minorUnits: 1, .euro), from: try AccountID("a"), to: try AccountID("b"))),
      balance: .zero(.euro), recordedAt: 0)
    let documents = try [
      BalanceDocument(accounts([("a", 1, .euro)])).document(), LedgerDocument([entry]).document(),
    ]
    for field in documents.joined().matches(of: /"(\w+)" :/).map(\.1) {
      #expect(readme.contains("\"\(field)\":"), "\(field)")
    }
  }

  @Test("the command writes them for --format json")
  func command() async throws {
    let transcript = Transcript()
    let path = FileManager.default.temporaryDirectory.appending(path: "wallet-\(UUID().uuidString).sqlite").path
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    for words in [["open", "anna", "--key", "o"], ["deposit", "anna", "12.50", "--key", "d"]] {
      #expect(await Wallet.run(words + ["--store", path], on: transcript.console) == .success)
    }
    for (words, field) in [(["balance"], "balance"), (["balance", "anna"], "balance"), (["ledger"], "amount")] {
      transcript.clear()
      #expect(await Wallet.run(words + ["--format", "json", "--store", path], on: transcript.console) == .success)
      let document = transcript.lines.joined()
      #expect(texts("schema", in: document) == ["\"wallet.\(words[0])/1\""])
      #expect(texts(field, in: document) == ["12.5"])
      #expect(try JSONSerialization.jsonObject(with: Data(document.utf8)) is [String: Any])
    }
  }
}
