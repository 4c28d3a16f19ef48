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

/// What a call gives back together with its answer, nobody else knows yet.
actor Line {
  var topics: [String] = []
  private init() {}
  static func open() async -> (line: Line, isNew: Bool) {
    let line = Line()
    let known = await line.topics
    return (line, known.isEmpty)
  }
  func forget() { topics = [] }
}

func connect() async -> Line {
  let (line, isNew) = await Line.open()
  if isNew { await line.forget() }
  return line
}

/// What is set is the other side's answer, although a helper set it, too.
actor LineContext {
  var greeting: String?
  var changes = 0
  func set(_ new: String) {
    if greeting != new { changes += 1 }
    greeting = new
  }
}

actor Opened {
  let context = LineContext()
  func ask() async throws -> String { "hello" }

  func greet() async throws -> String {
    let answer = try await ask()
    await context.set(answer)
    return answer
  }

  func start() async throws {
    let answer = try await greet()
    await context.set(answer)
  }
}
