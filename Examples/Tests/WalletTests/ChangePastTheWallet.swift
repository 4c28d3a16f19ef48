import WalletStore

/// Runs SQL on a wallet's file: the default writes a balance that nobody paid in.
func changePastTheWallet(_ path: String, _ sql: String = "UPDATE accounts SET balance = 5") async throws {
  let store = try await SQLiteJournalStore.open(path: path)
  try await store.execute(sql)
  store.close()
}
