/// Work of which only the newest counts: a newer start supersedes every earlier one.

/// Starts operations and applies the outcome of the newest alone, be it a value or an error.
///
/// Cancellation alone would not do. A superseded operation may have finished already, or may not look at cancellation;
/// and when it does, its error comes back in many types. So each start takes a *generation*, and only the outcome of
/// the current generation is applied. The comparison and what follows it are one main-actor job: nothing can come
/// between.
final class LatestWork {
  /// Grows with each start and each cancellation. An outcome of an earlier generation is dropped.
  private var generation = 0
  /// The operations that have not ended, superseded ones included, by their generation.
  private var inFlight: [Int: Task<Void, Never>] = [:]

  /// True while the newest operation has not ended; a cancelled one does not count.
  var isRunning: Bool { inFlight[generation] != nil }

  /// Supersedes what runs and starts `operation`, whose outcome `apply` receives unless it is superseded in its turn.
  func start<Value: Sendable, Failure: Error>(
    _ operation: @escaping @Sendable () async throws(Failure) -> Value,
    apply: @escaping @MainActor (Result<Value, Failure>) -> Void
  ) {
    cancel()
    let mine = generation
    inFlight[mine] = Task { [weak self] in
      let outcome: Result<Value, Failure>
      do throws(Failure) { outcome = .success(try await operation()) } catch { outcome = .failure(error) }
      guard let self else { return }
      self.inFlight[mine] = nil
      guard mine == self.generation else { return }
      apply(outcome)
    }
  }

  /// Supersedes what runs with nothing.
  func cancel() {
    inFlight[generation]?.cancel()
    generation += 1
  }

  /// Returns when nothing is in flight, neither the newest operation nor one it superseded, also when others start
  /// meanwhile.
  func settle() async {
    while let task = inFlight.values.first {
      await task.value
    }
  }

  deinit {
    for task in inFlight.values { task.cancel() }
  }
}
