/// The one-object case: a bounded cache that asks for each image once. A plain actor is enough.

/// Keeps the images that were used last, and loads each at most once at a time.
///
/// One object owns all its state, so it needs no global actor. Whoever asks for an image that is being loaded waits for
/// that load. A load that nobody waits for any more is cancelled; a failed one is not remembered.
public actor ImageCache<Key: Hashable & Sendable, Image: Sendable> {
  private struct Kept {
    var image: Image
    var cost: Int
    var lastUse: UInt64
  }
  private struct Flight {
    var number: UInt64
    var task: Task<Void, Never>
    var waiting: [UInt64: CheckedContinuation<Image, any Error>] = [:]
  }

  /// The most that may be kept, in the unit of `cost`.
  public nonisolated let limit: Int
  private let cost: @Sendable (Image) -> Int
  private let load: @Sendable (Key) async throws -> Image
  private var kept: [Key: Kept] = [:]
  private var flights: [Key: Flight] = [:]
  private var clock: UInt64 = 0
  /// The sum of what is kept; never above ``limit``.
  public private(set) var totalCost = 0

  /// - Parameters:
  ///   - limit: the most that may be kept, in the unit of `cost`.
  ///   - cost: what an image takes, such as bytes; by default each counts as one.
  ///   - load: brings an image; it runs on no actor.
  public init(
    limit: Int, cost: @escaping @Sendable (Image) -> Int = { _ in 1 },
    load: @escaping @Sendable (Key) async throws -> Image
  ) {
    self.limit = limit
    self.cost = cost
    self.load = load
  }

  /// The number of images that are kept.
  public var count: Int { kept.count }

  /// The image, from the cache or from a load that is shared by all who ask meanwhile.
  ///
  /// - Throws: what the load throws, and `CancellationError` if the waiting task is cancelled.
  public func image(for key: Key) async throws -> Image {
    clock += 1
    if let entry = kept[key] {
      kept[key]?.lastUse = clock
      return entry.image
    }
    let visitor = clock
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
        wait(for: key, as: visitor, continuation)
      }
    } onCancel: {
      Task { await leave(key, visitor) }
    }
  }

  private func wait(for key: Key, as visitor: UInt64, _ continuation: CheckedContinuation<Image, any Error>) {
    if flights[key] == nil {
      let task = Task.detached { [load] in
        let result: Result<Image, any Error>
        do { result = .success(try await load(key)) } catch { result = .failure(error) }
        await self.land(key, visitor, result)
      }
      flights[key] = Flight(number: visitor, task: task)
    }
    flights[key]?.waiting[visitor] = continuation
  }

  private func land(_ key: Key, _ number: UInt64, _ result: Result<Image, any Error>) {
    // A flight that everybody left has been replaced, perhaps, by a newer one.
    guard let flight = flights[key], flight.number == number else { return }
    flights[key] = nil
    if case .success(let image) = result { keep(image, for: key) }
    for continuation in flight.waiting.values { continuation.resume(with: result) }
  }

  private func leave(_ key: Key, _ visitor: UInt64) {
    guard let continuation = flights[key]?.waiting.removeValue(forKey: visitor) else { return }
    continuation.resume(throwing: CancellationError())
    if let flight = flights[key], flight.waiting.isEmpty {
      flight.task.cancel()
      flights[key] = nil
    }
  }

  private func keep(_ image: Image, for key: Key) {
    let cost = max(0, cost(image))
    guard cost <= limit else { return }
    clock += 1
    kept[key] = Kept(image: image, cost: cost, lastUse: clock)
    totalCost += cost
    while totalCost > limit, let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      kept[oldest.key] = nil
      totalCost -= oldest.value.cost
    }
  }
}
