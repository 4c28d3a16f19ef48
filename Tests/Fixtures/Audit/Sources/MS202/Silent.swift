/// One visit, a second check inside, or other state.
actor CheckedStore {
  var balance = 10
  var log: [String] = []
  func available() -> Int { balance }
  func debit(_ amount: Int) throws {
    guard balance >= amount else { throw Insufficient() }
    balance -= amount
  }
  func note(_ line: String) { log.append(line) }
  func nextNumber() -> Int { balance }
}

func payOnce(_ store: CheckedStore) async throws { try await store.debit(3) }

/// The second visit checks again.
func payPolitely(_ store: CheckedStore) async throws {
  guard await store.available() >= 3 else { throw Insufficient() }
  try await store.debit(3)
}

/// What the second visit changes is not what the first one read.
func writeDown(_ store: CheckedStore) async {
  if await store.available() > 5 { await store.note("rich") }
}

/// Two actors that have nothing to do with each other.
func copy(_ store: CheckedStore, _ other: CheckedStore) async throws {
  if await store.available() > 5 { await other.note("rich") }
}

/// What went wrong decides, not what the call that failed was given.
func drain(_ store: CheckedStore) async {
  do {
    try await wait(await store.available())
  } catch {
    if error is Insufficient { return }
  }
  try? await store.debit(1)
}

private func wait(_ seconds: Int) async throws {
  if seconds < 0 { throw Insufficient() }
}
