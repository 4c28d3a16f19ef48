/// A model on the main actor in a module that is not, fed by a foreign runtime.

import Mainstay

/// What the other runtime calls back with: mutable, not Sendable.
public final class ForeignState {
  public var text = ""
}

public final class ForeignController {
  public func observe(_ onState: @escaping @Sendable (ForeignState) -> Void) {}
  public func observeOffMain(_ onText: @escaping @Sendable (String) -> Void) {}
}

@MainActor public final class FeedModel {
  public private(set) var text = ""
  private let latest = LatestTask()
  private let heartbeat = Heartbeat(budget: .hz120)
  private let states = AssertedBoundary("states", contract: "observe calls back on the main thread")
  private var texts: HoppingBoundary<String>?

  public init(_ controller: ForeignController) {
    let states = states
    controller.observe { [weak self] state in
      states.deliver(state) { self?.text = $0.text }
    }
    let texts = HoppingBoundary<String>("texts", delivery: .latest) { [weak self] in self?.text = $0 }
    controller.observeOffMain { texts.send($0) }
    self.texts = texts
  }

  public func reload(_ query: String) {
    latest.start(priority: .medium) {
      try await Task.sleep(for: .milliseconds(1))
      return query
    } apply: { [weak self] result in
      self?.text = (try? result.get()) ?? "failed"
    }
  }

  public func show(_ rows: [ForeignState]) async throws {
    try await FrameSlicer(budget: .hz120, share: 0.5).forEach(rows, progress: { _ in }) { row in text += row.text }
  }

  public func measured() async -> HeartbeatReport {
    heartbeat.onStall(over: .milliseconds(250)) { [weak self] in self?.text = "hung for \($0)" }
    heartbeat.start()
    await latest.settle()
    return await heartbeat.stop()
  }

  public func close() {
    texts?.finish()
    latest.cancel()
  }
}

public func summary() -> String { Boundaries.report().description }

public func wait(for till: Till) async -> Duration {
  let heartbeat = ActorHeartbeat(on: till)
  heartbeat.start()
  _ = try? await till.pay(1, 1)
  return await heartbeat.stop().worst
}
