import Foundation
import Patience
import Testing

@testable import wallet

@Suite("The wallet command", .patient, .timeLimit(.minutes(10)))
struct WalletCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "wallet-\(UUID().uuidString)")
  private let transcript = Transcript()

  private func run(_ words: String...) async throws -> ExitCode {
    transcript.clear()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return await Wallet.run(words + ["--store", folder.appending(path: "w.sqlite").path], on: transcript.console)
  }

  private func removeFolder() { try? FileManager.default.removeItem(at: folder) }

  @Test("opens, pays in, transfers, and says what there is, as a table and as CSV")
  func session() async throws {
    defer { removeFolder() }
    #expect(try await run("open", "anna") == .success)
    #expect(transcript.lines == ["1. anna opened in EUR"])
    let openKey = transcript.notes.first
    #expect(openKey?.hasPrefix("key ") == true)
    #expect(try await run("verify") == .success)
    #expect(transcript.lines == ["1 account and 1 line of the ledger agree; together 0.00 EUR"])
    #expect(try await run("open", "ben", "EUR", "--key", "k2") == .success)
    #expect(transcript.notes == [])
    #expect(try await run("deposit", "anna", "100", "--key=k3") == .success)
    #expect(transcript.lines == ["3. 100.00 EUR to anna, which has 100.00 EUR now"])
    for _ in 0..<2 {
      #expect(try await run("transfer", "12.50", "anna", "ben", "--key", "k4") == .success)
      #expect(transcript.lines == ["4. 12.50 EUR from anna, which has 87.50 EUR left, to ben"])
    }
    #expect(try await run("balance") == .success)
    #expect(transcript.lines == ["account  balance  currency\nanna       87.50  EUR\nben        12.50  EUR"])
    #expect(try await run("balance", "ben", "--format", "csv") == .success)
    #expect(transcript.lines == ["account,balance,currency\nben,12.50,EUR"])
    #expect(try await run("ledger") == .success)
    #expect(transcript.lines.joined().split(separator: "\n").count == 5)
    #expect(try await run("verify") == .success)
    #expect(transcript.lines == ["2 accounts and 4 lines of the ledger agree; together 100.00 EUR"])
  }

  @Test(
    "what the wallet refuses is said with the next step, and changes nothing",
    arguments: [
      (["transfer", "1", "anna", "nobody"], "there is no account nobody; open it first"),
      (
        ["transfer", "1000", "anna", "ben"], "anna has 100.00 EUR and needs 1000.00 EUR; pay money in or transfer less"
      ),
      (["transfer", "-1", "anna", "ben"], "-1.00 EUR cannot be moved; use an amount above zero"),
      (["transfer", "1", "anna", "anna"], "anna is sender and recipient; choose two accounts"),
      (["transfer", "0.001", "anna", "ben"], "0.001 is finer than EUR can be divided"),
      (["transfer", "ten", "anna", "ben"], "\"ten\" is not an amount"),
      (["transfer", "20", "anna", "ben", "--fraud-limit", "10"], "the fraud check did not approve"),
      (["deposit", "anna", "1", "--key", "fund"], "the key fund was used before for another request"),
      (["open", "anna"], "the account anna exists already, in EUR"),
      (["open", "a b"], "\"a b\" cannot name an account"),
      (["open", "carl", "XYZ"], "\"XYZ\" is not a currency"),
      (["open", "carl", "--key", "ä"], "\"ä\" cannot be a key"),
    ])
  func refusals(words: [String], message: String) async throws {
    defer { removeFolder() }
    for (account, key) in [("anna", "o1"), ("ben", "o2")] {
      #expect(try await run("open", account, "--key", key) == .success)
    }
    #expect(try await run("deposit", "anna", "100", "--key", "fund") == .success)
    transcript.clear()
    let store = ["--store", folder.appending(path: "w.sqlite").path]
    #expect(await Wallet.run(words + store, on: transcript.console) == .failure)
    #expect(transcript.notes.first?.hasPrefix("wallet: " + message) == true, "\(transcript.notes)")
    #expect(try await run("verify") == .success)
    #expect(transcript.lines == ["2 accounts and 3 lines of the ledger agree; together 100.00 EUR"])
  }

  @Test(
    "a command line that cannot be carried out says why",
    arguments: [
      (["fly"], "there is no command \"fly\". See wallet --help."),
      (["open"], "wallet open is used as: wallet open ACCOUNT"),
      (["balance", "a", "b"], "wallet balance is used as:"),
      (["ledger", "--format", "xml"], "--format is table, json, csv"),
      (["open", "a", "--bogus"], "there is no option --bogus. See wallet open --help."),
      (["open", "a", "--key"], "--key needs a value"),
      (["load", "--clients", "0"], "--clients is 1 to 10000, not \"0\""),
      (["deposit", "a", "5", "--format", "json"], "wallet deposit has no option --format. See"),
      (["verify", "--key", "k"], "wallet verify has no option --key"),
      (["bench", "durable", "--store", "x"], "wallet bench has no option --store"),
      (["open", "a", "--key", "k", "--key=l"], "--key is given twice; give it once"),
      (["balance", "--store=", "a"], "--store needs a value"), (["balance", "--store", ""], "--store needs a value"),
      (["open", "a", "--"], "there is no option --. See"),
      (["fly\u{1b}[31m\nwallet: done"], #"there is no command "fly\u{1b}[31m\u{a}wallet: done". See"#),
      (
        ["fly" + String(repeating: "y", count: 300)],
        "there is no command \"fl" + String(repeating: "y", count: 47) + "…" + String(repeating: "y", count: 48)
          + "\". See"
      ),
      (["demo", "magic"], "there is no demo \"magic\""), (["bench", "luck"], "there is no bench \"luck\"; there are"),
      (["balance", "--store", "x", "--postgres", "y"], "--store and --postgres name two wallets"),
      (["bench", "durable", "--rounds", "5"], "wallet bench durable has no option --rounds"),
      (["help", "magic"], "there is no command \"magic\". See wallet --help."),
      (["bench", "processes"], "bench processes needs --postgres"),
      (["transfer", "1", "a", "b", "--fraud-limit", "no"], "--fraud-limit is an amount above zero"),
    ])
  func misuse(words: [String], message: String) async {
    #expect(await Wallet.run(words, on: transcript.console) == .usage)
    #expect(transcript.notes.first?.hasPrefix("wallet: " + message) == true, "\(transcript.notes)")
    #expect(transcript.lines == [])
  }

  @Test(
    "where there is no wallet, only open makes one",
    arguments: [["balance"], ["ledger"], ["verify"], ["deposit", "a", "1"], ["transfer", "1", "a", "b"]])
  func noWallet(words: [String]) async throws {
    defer { removeFolder() }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "w.sqlite").path
    #expect(await Wallet.run(words + ["--store", path], on: transcript.console) == .failure)
    #expect(transcript.notes.first?.hasPrefix("wallet: there is no wallet at \(path); check the name") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
    try Data().write(to: URL(filePath: path))
    #expect(await Wallet.run(words + ["--store", path], on: transcript.console) == .failure)
    #expect(transcript.notes.last?.hasPrefix("wallet: \(path) is empty and no wallet; restore it") == true)
    #expect(FileManager.default.contents(atPath: path) == Data())
    #expect(try await run("open", "a") == .success)
    #expect(try await run("balance") == .success)
  }

  @Test("verify finds a balance that does not follow from the ledger, and says so with its exit status")
  func verify() async throws {
    defer { removeFolder() }
    #expect(try await run("open", "anna") == .success)
    let path = folder.appending(path: "w.sqlite").path
    try await changePastTheWallet(path)
    #expect(try await run("verify") == .discrepancy)
    #expect(transcript.lines.first == "anna has 0.05 EUR, and 0.00 EUR by the ledger")
    #expect(transcript.lines.last?.contains("DO NOT AGREE") == true)
    #expect(try await run("balance") == .failure, "and a wallet that does not agree is not opened")
    #expect(transcript.notes.first?.contains("restore it from a copy") == true)
  }

  @Test("an operation that failed without a receipt names the key that the program chose, and happens once with it")
  func failedCommit() async throws {
    defer { removeFolder() }
    #expect(try await run("open", "anna") == .success)
    let path = folder.appending(path: "w.sqlite").path
    // The disk, as it were, refuses what is written.
    try await changePastTheWallet(
      path, "CREATE TRIGGER refuse BEFORE INSERT ON ledger BEGIN SELECT RAISE(ABORT, 'the disk failed'); END")
    #expect(try await run("deposit", "anna", "5") == .failure)
    let note = try #require(transcript.notes.first)
    #expect(note.contains("the disk failed"))
    let key = try #require(note.firstMatch(of: /Its key is (\S+): repeat it with --key (\S+)$/), "\(note)")
    #expect(key.1 == key.2)
    #expect(try await run("deposit", "anna", "5", "--key", "mine") == .failure)
    #expect(transcript.notes.first?.contains("Its key is") == false, "who gave a key knows it")

    try await changePastTheWallet(path, "DROP TRIGGER refuse")
    for _ in 0..<2 {
      #expect(try await run("deposit", "anna", "5", "--key", String(key.1)) == .success)
      #expect(transcript.lines == ["2. 5.00 EUR to anna, which has 5.00 EUR now"])
    }
    #expect(try await run("deposit", "nobody", "5") == .failure)
    #expect(transcript.notes.first?.contains("Its key is") == false, "a refusal is not repeated")
  }

  @Test("load answers a line for each transfer, and the same lines when it is sent again")
  func load() async throws {
    defer { removeFolder() }
    let words = ["--transfers", "60", "--clients", "4", "--accounts", "5", "--seed", "9"]
    transcript.clear()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = ["--store", folder.appending(path: "w.sqlite").path]
    #expect(await Wallet.run(["load"] + words + store, on: transcript.console) == .success)
    let lines = Set(transcript.lines)
    #expect(lines.count == 60)
    transcript.clear()
    #expect(await Wallet.run(["load"] + words + store, on: transcript.console) == .success)
    #expect(Set(transcript.lines) == lines)
  }

  @Test("the demo shows the double spend in every wallet that has it, and none in the domain")
  func demo() async throws {
    #expect(await Wallet.run(["demo", "double-spend", "--rounds", "50"], on: transcript.console) == .success)
    let rows = transcript.lines.joined(separator: "\n").split(separator: "\n").map(String.init)
    #expect(rows.contains { $0.contains("both check first") && $0.contains("50  50") && $0.hasSuffix("-600") })
    #expect(rows.contains { $0.contains("await inside") && $0.contains("50  50") && $0.hasSuffix("-600") })
    #expect(rows.last?.contains("fraud check outside") == true && rows.last?.hasSuffix("0  50         200") == true)
  }

  @Test("a ledger that is wider than the screen is a list, and a table in a file")
  func narrow() async throws {
    defer { removeFolder() }
    #expect(try await run("open", "anna", "--key", "k1") == .success)
    #expect(try await run("deposit", "anna", "5", "--key", "k2") == .success)
    let store = ["--store", folder.appending(path: "w.sqlite").path]
    func ledger(_ width: Int?) async -> [String] {
      transcript.clear()
      var console = transcript.console
      console.width = width
      #expect(await Wallet.run(["ledger"] + store, on: console) == .success)
      return transcript.lines.joined().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    let table = await ledger(nil)
    #expect(table.count == 3)
    #expect(await ledger(200) == table)
    let list = await ledger(40)
    #expect(list.contains("2") && list.contains("  amount    5.00") && list.contains("  key       k2"))
    #expect(list.allSatisfy { $0.count <= 40 })
  }

  @Test("a result that cannot be written ends the command, which says so")
  func unwritable() async throws {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let wallet = URL(filePath: tests).deletingLastPathComponent().appending(path: "wallet")
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let (status, errors) = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let (process, pipe) = (Process(), Pipe())
            process.executableURL = wallet
            process.arguments = ["--help"]
            process.standardOutput = full
            process.standardError = pipe
            try process.run()
            let errors = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, errors)
          })
      }
    }
    #expect(status == 1)
    #expect(errors.hasPrefix("wallet: the result cannot be written (No space left on device)"), "\(errors)")
  }
}
