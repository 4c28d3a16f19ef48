import WalletStore

/// Writes a balance that nobody paid in.
func changePastTheWallet(_ path: String) async throws {
  let store = try await SQLiteJournalStore.open(path: path)
  try await store.execute("UPDATE accounts SET balance = 5")
  store.close()
}
