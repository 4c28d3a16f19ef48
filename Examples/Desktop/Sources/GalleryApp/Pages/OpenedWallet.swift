/// The wallet of the page: a file, the wallet in it, and whether its commits wait on the main actor.
import Foundation
import Mainstay
import Synchronization
import WalletKit
import WalletStore

/// Made once for the file; nothing of it belongs to the main actor.
nonisolated struct OpenedWallet: Sendable {
  let journal: SwitchedJournal
  let service: WalletService
  let desk: ApprovalDesk

  /// Opens the file, or makes it. A new wallet gets three accounts, two of them with money; their keys make it once.
  ///
  /// - Throws: `StoreError`, `WalletError`, and what making the folder throws.
  @concurrent
  static func open(_ path: String) async throws -> OpenedWallet {
    let folder = URL(filePath: path).deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = try await SQLiteJournalStore.open(path: path)
    do {
      let journal = SwitchedJournal(store)
      let desk = ApprovalDesk(checker: LimitChecker(limit: 50_000))
      let service = try await WalletService.open(store: journal, desk: desk)
      try await fill(service)
      return OpenedWallet(journal: journal, service: service, desk: desk)
    } catch {
      store.close()
      throw error
    }
  }

  private static func fill(_ service: WalletService) async throws {
    let existing = try await service.accounts()
    guard existing.isEmpty else { return }
    for (name, minorUnits) in [("anna", Int64(100_000)), ("ben", 25_000), ("shop", 0)] {
      let account = try AccountID(name)
      _ = try await service.openAccount(account, in: .euro, key: TransferKey("gallery-open-\(name)"))
      if minorUnits > 0 {
        _ = try await service.deposit(
          Money(minorUnits: minorUnits, .euro), to: account, key: TransferKey("gallery-fund-\(name)"))
      }
    }
  }

  func close() { journal.store.close() }
}

/// The journal in SQLite, which commits on its own queue, or, as the mistake, on the main actor.
nonisolated final class SwitchedJournal: JournalStore {
  let store: SQLiteJournalStore
  private let isOnMain = Atomic<Bool>(false)

  init(_ store: SQLiteJournalStore) { self.store = store }

  var waitsOnMain: Bool {
    get { isOnMain.load(ordering: .relaxed) }
    set { isOnMain.store(newValue, ordering: .relaxed) }
  }

  func load() async throws -> [SQLiteJournalStore.Entry] { try await store.load() }

  func commit(_ entries: [SQLiteJournalStore.Entry], forgetting forgotten: [TransferKey]) async throws {
    if waitsOnMain { try await commitOnMain(entries) } else { try await store.commit(entries, forgetting: forgotten) }
  }

  /// The mistake: the disk is waited for where frames are drawn.
  @MainActor
  private func commitOnMain(_ entries: [SQLiteJournalStore.Entry]) throws { try store.commitAndWait(entries) }
}
