import Synchronization
import Testing
import WalletKit

@Suite("The image cache", .timeLimit(.minutes(10)))
struct ImageCacheTests {
  private struct Broken: Error {}

  @Test("many who ask for the same image share one load")
  func singleFlight() async throws {
    let loader = Loader()
    let cache = ImageCache<String, String>(limit: 10) { try await loader.load($0) }
    let images = Task {
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<20 { group.addTask { try await cache.image(for: "a") } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
    }
    await loader.waitForLoads(1)
    await loader.release()
    #expect(try await images.value == ["image a"])
    #expect(try await cache.image(for: "a") == "image a")
    #expect(loader.loads == ["a"])
  }

  @Test("never keeps more than its limit, and drops what was used longest ago")
  func bounded() async throws {
    let loads = Mutex<[String]>([])
    let cache = ImageCache<String, String>(limit: 10, cost: { $0.count }) { key in
      loads.withLock { $0.append(key) }
      return key
    }
    for key in ["aaaa", "bbbb", "aaaa", "cccc", "aaaa", "bbbb"] {
      _ = try await cache.image(for: key)
      #expect(await cache.totalCost <= 10)
    }
    #expect(loads.withLock { $0 } == ["aaaa", "bbbb", "cccc", "bbbb"])
    _ = try await cache.image(for: "more than ten")
    #expect(await cache.count == 2, "what does not fit at all drops nothing")
  }

  @Test("a failed load is told to all who wait, and tried again by the next")
  func failure() async throws {
    let attempts = Mutex(0)
    let cache = ImageCache<String, String>(limit: 10) { key in
      if attempts.withLock({
        $0 += 1; return $0
      }) == 1 {
        throw Broken()
      }
      return key
    }
    await #expect(throws: Broken.self) { try await cache.image(for: "a") }
    #expect(try await cache.image(for: "a") == "a")
  }

  @Test("who is cancelled leaves at once; the load goes on for the others, and ends when nobody waits")
  func cancellation() async throws {
    let loader = Loader()
    let cache = ImageCache<String, String>(limit: 10) { try await loader.load($0) }
    let one = Task { try await cache.image(for: "a") }
    await loader.waitForLoads(1)
    let other = Task { try await cache.image(for: "a") }
    one.cancel()
    await #expect(throws: CancellationError.self) { try await one.value }
    await loader.release()
    #expect(try await other.value == "image a")

    let lonely = Task { try await cache.image(for: "b") }
    await loader.waitForLoads(2)
    lonely.cancel()
    await #expect(throws: CancellationError.self) { try await lonely.value }
    await loader.waitForCancellation()
  }
}

/// Loads that wait until they are let go.
private actor Loader {
  nonisolated let started = Mutex<[String]>([])
  private var isOpen = false
  private var wasCancelled = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  nonisolated var loads: [String] { started.withLock { $0 } }

  func load(_ key: String) async throws -> String {
    started.withLock { $0.append(key) }
    signal()
    while !isOpen || key == "b" {
      if Task.isCancelled {
        wasCancelled = true
        signal()
        throw CancellationError()
      }
      await Task.yield()
    }
    return "image \(key)"
  }

  func release() { isOpen = true }

  func waitForLoads(_ count: Int) async {
    while loads.count < count { await withCheckedContinuation { waiting.append($0) } }
  }

  func waitForCancellation() async {
    while !wasCancelled { await withCheckedContinuation { waiting.append($0) } }
  }

  private func signal() {
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}
