/// Work of which only the newest counts: a newer start supersedes what is in flight, results and errors alike.

/// Runs one operation at a time for main-actor state; a newer one cancels and supersedes it.
///
/// Cancelling alone is not enough. A superseded search may have returned already and wait for its turn on the main
/// actor, and a cancelled request fails with an error of its own (`URLError.cancelled`, not `CancellationError`) that
/// would show as a failure. So every start gets a generation, and only the current generation is applied.
///
/// ```swift
/// func queryChanged(_ query: String) {
///   phase = .loading                                     // before the task, so that no frame misses it
///   latest.start { try await service.search(query) } apply: { [weak self] result in self?.show(result) }
/// }
/// ```
///
/// The owner of this object owns the work: when it is released, the operation is cancelled and nothing is applied.
@MainActor
public final class LatestTask {
  private var generation = 0
  private var current: Task<Void, Never>?
  /// Operations that have not returned, the superseded ones included.
  private var unfinished: [Int: Task<Void, Never>] = [:]
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Nothing is started yet.
  public init() {}

  deinit {
    for task in unfinished.values { task.cancel() }
  }

  /// True from `start` until its result is about to be applied, or the work is cancelled.
  public var isRunning: Bool { current != nil }

  /// Supersedes whatever is in flight and starts an operation.
  ///
  /// Returns at once. The superseded operation is cancelled, and neither its value nor its error is ever applied.
  ///
  /// - Parameters:
  ///   - priority: the priority of the operation; nil for that of the caller.
  ///   - operation: the work. It starts off the main actor, and leaves early only if it looks at cancellation.
  ///   - apply: takes the value or the error of the operation, on the main actor. It may start the next one.
  public func start<Value: Sendable>(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Value,
    apply: @escaping @MainActor (Result<Value, any Error>) -> Void
  ) {
    current?.cancel()
    generation += 1
    let generation = generation
    let task = Task(priority: priority) { @concurrent [weak self] in
      let result: Result<Value, any Error>
      do { result = .success(try await operation()) } catch { result = .failure(error) }
      await self?.finish(generation, result, apply)
    }
    current = task
    unfinished[generation] = task
  }

  /// Cancels what is in flight. Nothing of it is applied, and `isRunning` is false when this returns.
  public func cancel() {
    guard let current else { return }
    current.cancel()
    self.current = nil
    generation += 1
    resumeWaiters()
  }

  /// Returns when nothing is in flight: the newest operation has been applied or cancelled.
  ///
  /// It survives supersession: while newer operations keep starting it keeps waiting for the newest. It does not wait
  /// for superseded operations, which can change nothing any more; ``drain()`` does. Cancelling the task that waits
  /// does not end the wait. Any number of tasks may wait at once, but an operation must not wait for itself: that
  /// would never end, and traps.
  public func settle() async {
    refuseToWaitForItself("settle")
    while isRunning {
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  /// Returns when nothing is in flight and every superseded or cancelled operation has returned too.
  ///
  /// For the end of a test or of a screen. An operation that ignores cancellation is waited for as long as it takes.
  public func drain() async {
    refuseToWaitForItself("drain")
    while let (_, task) = unfinished.first {
      await task.value
    }
    await settle()
  }

  private func finish<Value: Sendable>(
    _ finished: Int, _ result: Result<Value, any Error>, _ apply: @MainActor (Result<Value, any Error>) -> Void
  ) {
    unfinished[finished] = nil
    guard finished == generation, current != nil else { return }
    current = nil
    apply(result)
    // `apply` may have started the next one; then the waiters wait on.
    if !isRunning { resumeWaiters() }
  }

  private func resumeWaiters() {
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }

  private func refuseToWaitForItself(_ function: String) {
    let caller = withUnsafeCurrentTask { $0?.hashValue }
    guard let caller, unfinished.values.contains(where: { $0.hashValue == caller }) else { return }
    fatalError(
      "LatestTask.\(function)() was called by the operation it waits for, so it would never return; "
        + "call it from the task that started the operation")
  }
}
