/// Which files a wallet in SQLite opens, makes, and refuses.
import Foundation
import Testing
import WalletKit

@testable import WalletStore

@Suite("The file of a wallet in SQLite", .timeLimit(.minutes(10)))
struct SQLiteFileTests {
  /// A new file with an account, closed again, and nothing beside it.
  private func withFile(_ use: (String) async throws -> Void) async throws {
    try await TestFolder.with { folder in
      let path = folder + "/wallet.sqlite"
      let store = try await SQLiteJournalStore.open(path: path)
      let wallet = try await WalletService.open(store: store, desk: ApprovalDesk(checker: LimitChecker()))
      _ = try await wallet.openAccount(AccountID("a"), in: .euro, key: TransferKey("open-a"))
      store.close()
      try await use(path)
    }
  }

  private func refusal(_ path: String, creating: Bool = true) async throws -> StoreError? {
    await #expect(throws: StoreError.self) {
      try await SQLiteJournalStore.open(path: path, creating: creating).close()
    }
  }

  @Test("a file without a name is refused", arguments: ["", "a\0b"])
  func noName(path: String) async throws {
    #expect(try await refusal(path) == .noName)
  }

  @Test(
    "a name that SQLite keeps in memory is a file's name",
    arguments: [":memory:", "file:wallet?mode=memory", "file::memory:", "file:wallet"])
  func literalName(name: String) async throws {
    // Relative, because SQLite takes an absolute path to the letter anyway.
    try #require(!FileManager.default.fileExists(atPath: name))
    defer { try? FileManager.default.removeItem(atPath: name) }
    try await SQLiteJournalStore.open(path: name).close()
    #expect(FileManager.default.fileExists(atPath: name))
    try await SQLiteJournalStore.open(path: name, creating: false).close()
  }

  @Test("what is no file is refused", arguments: ["/dev/null", "/"])
  func noFile(path: String) async throws {
    #expect(try await refusal(path) == .cannotOpen(path: path, reason: "it is not a file"))
  }

  @Test("an empty file becomes a wallet only where one may be made, and is left alone otherwise")
  func emptyFile() async throws {
    try await TestFolder.with { folder in
      let path = folder + "/wallet.sqlite"
      try Data().write(to: URL(filePath: path))
      #expect(try await refusal(path, creating: false) == .emptyFile(path: path))
      #expect(FileManager.default.contents(atPath: path) == Data())
      try await SQLiteJournalStore.open(path: path).close()
      try await SQLiteJournalStore.open(path: path, creating: false).close()
    }
  }

  @Test("a file that this user may not write says so")
  func readOnly() async throws {
    try await withFile { path in
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
      let error = await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: asNobody { openedHere(path) }) }
      }
      #expect(error == .readOnly(path: path))
    }
  }

  @Test("an overwritten header is damage while the wallet's mark is there", arguments: [0, 16, 20])
  func header(offset: Int) async throws {
    try await withFile { path in
      var bytes = try Data(contentsOf: URL(filePath: path))
      bytes.replaceSubrange(offset..<offset + 4, with: [UInt8](repeating: 0xa5, count: 4))
      try bytes.write(to: URL(filePath: path))
      for creating in [true, false] {
        let error = try await refusal(path, creating: creating)
        #expect(error == .corrupt(path: path, reason: "its header was overwritten"))
      }
      #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }
  }

  @Test(
    "tables that are missing or other ones, and a version that never was, are damage",
    arguments: [
      ("DROP TABLE ledger", "its table ledger is missing"), ("DROP TABLE accounts", "its table accounts is missing"),
      ("DROP TABLE ledger; DROP TABLE accounts", "its table accounts is missing"),
      ("ALTER TABLE ledger DROP COLUMN sender", "its table ledger has the columns number, key, kind, recipient"),
      ("PRAGMA user_version = 0", "there is no version 0"), ("PRAGMA user_version = -3", "there is no version -3"),
    ])
  func schema(sql: String, reason: String) async throws {
    try await withFile { path in
      let store = try await SQLiteJournalStore.open(path: path)
      try await store.execute(sql)
      store.close()
      let error = try await refusal(path, creating: false)
      guard case .corrupt(path, let found) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(found.hasPrefix(reason), "\(found)")
      #expect(error?.description.contains("restore it from a copy") == true)
    }
  }
}

/// Why this thread cannot open the file.
private func openedHere(_ path: String) -> StoreError? {
  do throws(StoreError) {
    _ = try SQLiteConnection(path: path, creating: false)
    return nil
  } catch {
    return error
  }
}

/// Runs `work` on this thread as a user whom permissions bind: root may write any file. Nothing changes for other
/// threads, nor where this is another user already.
private func asNobody<Value>(_ work: () -> Value) -> Value {
  typealias SetUser = @convention(c) (uid_t) -> Int32
  guard geteuid() == 0, let symbol = dlsym(nil, "setfsuid") else { return work() }
  let setUser = unsafeBitCast(symbol, to: SetUser.self)
  _ = setUser(65_534)
  defer { _ = setUser(0) }
  return work()
}
