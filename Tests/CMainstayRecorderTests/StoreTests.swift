import Testing

/// The recorder's store is C with internal headers: a program of its own drives it, compiled with sanitizers.
@Suite("The store of a recording", .timeLimit(.minutes(60)))
struct StoreTests {
  @Test("folds what it overwrites: what was kept and folded is what was written")
  func fold() async throws { try await CheckProgram.store.check("fold", .sanitized("address,undefined")) }

  @Test("stays exact while eight threads fill 4 MB over and over", arguments: ["address,undefined", "thread"])
  func hammer(sanitizer: String) async throws { try await CheckProgram.store.check("hammer", .sanitized(sanitizer)) }

  @Test("puts every record into its totals when the disk has no room for blocks")
  func noRoom() async throws { try await CheckProgram.store.check("no-room", .sanitized("address,undefined")) }

  @Test("gives all threads the same entries, and counts what finds none", arguments: ["address,undefined", "thread"])
  func tables(sanitizer: String) async throws { try await CheckProgram.store.check("tables", .sanitized(sanitizer)) }

  @Test("keeps the longest stalls, and counts the frames of those that gave way")
  func stalls() async throws { try await CheckProgram.store.check("stalls", .sanitized("address,undefined")) }
}
