/// Loops whose pace is set by something else, or that stay on one actor.
actor Log {
  var lines: [String] = []
  func add(_ line: String) { lines.append(line) }
  func addAll(_ new: [String]) { for line in new { add(line) } }
  func flush() async {}
}

protocol Fetching: Sendable { func page(_ index: Int) async -> String }

/// Independent work.
func fetchAll(_ service: any Fetching) async -> [String] {
  var pages: [String] = []
  for index in 0..<10 { pages.append(await service.page(index)) }
  return pages
}

/// The elements of a sequence that arrive when they do.
func record(_ lines: AsyncStream<String>, in log: Log) async {
  for await line in lines { await log.add(line) }
}

/// Another actor each turn.
func closeAll(_ logs: [Log]) async {
  for log in logs { await log.add("closed") }
}

/// A sleep between the visits.
func poll(_ log: Log) async throws {
  for _ in 0..<10 {
    await log.add("tick")
    try await Task.sleep(for: .milliseconds(10))
  }
}

/// Once, with the whole batch.
func addBatch(_ log: Log, _ lines: [String]) async { await log.addAll(lines) }

/// A batch a turn: the callee goes through what it is given.
func addInBatches(_ log: Log, _ lines: [String]) async {
  for start in stride(from: 0, to: lines.count, by: 100) {
    await log.addAll(Array(lines[start..<min(lines.count, start + 100)]))
  }
}
