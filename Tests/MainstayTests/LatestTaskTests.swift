import Dispatch
import Mainstay
import Testing

@Suite("A latest task")
@MainActor
struct LatestTaskTests {
  /// What was applied, in order.
  @MainActor final class Screen {
    var shown: [String] = []
    func show(_ result: Result<String, any Error>) {
      switch result {
      case .success(let text): shown.append(text)
      case .failure(let error): shown.append("failed: \(error)")
      }
    }
  }

  struct RequestCancelled: Error {}

  @Test("applies the value of its operation, and is running until then")
  func value() async {
    let latest = LatestTask()
    let screen = Screen()
    #expect(!latest.isRunning)
    latest.start {
      "found"
    } apply: { result in
      #expect(!latest.isRunning)
      screen.show(result)
    }
    #expect(latest.isRunning)
    #expect(screen.shown.isEmpty, "nothing is applied before the call returns")
    await latest.settle()
    #expect(screen.shown == ["found"])
    #expect(!latest.isRunning)
  }

  @Test("applies the error of its operation")
  func error() async {
    let latest = LatestTask()
    let screen = Screen()
    latest.start({ throw RequestCancelled() }, apply: screen.show)
    await latest.settle()
    #expect(screen.shown == ["failed: RequestCancelled()"])
  }

  @Test("never applies a superseded value, even when it comes last and ignores cancellation")
  func supersededValue() async {
    let latest = LatestTask()
    let screen = Screen()
    let gate = Gate()
    latest.start(
      {
        await gate.wait(); return "old"
      }, apply: screen.show)
    latest.start({ "new" }, apply: screen.show)
    await latest.settle()
    gate.open()
    await latest.drain()
    #expect(screen.shown == ["new"])
  }

  @Test("never applies a superseded error, whatever its type")
  func supersededError() async {
    let latest = LatestTask()
    let screen = Screen()
    let gate = Gate()
    latest.start(
      {
        await gate.wait(); throw RequestCancelled()
      }, apply: screen.show)
    latest.start(
      {
        await gate.wait(); return "new"
      }, apply: screen.show)
    gate.open()
    await latest.drain()
    #expect(screen.shown == ["new"])
  }

  @Test("drops a result that had already returned when it was superseded")
  func windowBetweenReturnAndApply() async {
    let latest = LatestTask()
    let screen = Screen()
    let returned = DispatchSemaphore(value: 0)
    latest.start(
      {
        defer { returned.signal() }
        return "old"
      }, apply: screen.show)
    // Holds the main actor, so the finished operation waits for its turn.
    block(until: returned)
    latest.start({ "new" }, apply: screen.show)
    await latest.drain()
    #expect(screen.shown == ["new"])
  }

  @Test("cancels the superseded operation")
  func cancelsSuperseded() async {
    let latest = LatestTask()
    let screen = Screen()
    let wasCancelled = Locked(false)
    latest.start(
      {
        while !Task.isCancelled { await pause() }
        wasCancelled.change { $0 = true }
        return "old"
      }, apply: screen.show)
    latest.start({ "new" }, apply: screen.show)
    await latest.drain()
    #expect(wasCancelled.value)
    #expect(screen.shown == ["new"])
  }

  @Test("after cancel nothing is applied and nothing is in flight")
  func cancel() async {
    let latest = LatestTask()
    let screen = Screen()
    let gate = Gate()
    latest.start(
      {
        await gate.wait(); return "old"
      }, apply: screen.show)
    latest.cancel()
    #expect(!latest.isRunning)
    await latest.settle()
    gate.open()
    await latest.drain()
    #expect(screen.shown.isEmpty)
    latest.cancel()
    latest.start({ "again" }, apply: screen.show)
    await latest.settle()
    #expect(screen.shown == ["again"])
  }

  @Test("settle survives supersession: it returns after the newest, not the one it began to wait for")
  func settleSurvives() async {
    let latest = LatestTask()
    let screen = Screen()
    let first = Gate()
    let second = Gate()
    latest.start(
      {
        await first.wait(); return "old"
      }, apply: screen.show)
    let settled = Task { @MainActor in
      await latest.settle()
      return screen.shown
    }
    while !first.isAwaited { await pause() }
    latest.start(
      {
        await second.wait(); return "new"
      }, apply: screen.show)
    first.open()
    while !second.isAwaited { await pause() }
    second.open()
    #expect(await settled.value == ["new"])
  }

  @Test("drain returns when the newest and every superseded operation has returned, also when it began to wait before")
  func drainWaitsForAll() async {
    let latest = LatestTask()
    let screen = Screen()
    let (old, new) = (Gate(), Gate())
    let returned = Locked(false)
    latest.start(
      {
        await old.wait()
        returned.change { $0 = true }
        return "old"
      }, apply: screen.show)
    // It runs at once, to where it waits: so it surely waits before it is superseded.
    let drained = Task.immediate { @MainActor in
      await latest.drain()
      return (returned.value, screen.shown)
    }
    while !old.isAwaited { await pause() }
    latest.start(
      {
        await new.wait(); return "new"
      }, apply: screen.show)
    while !new.isAwaited { await pause() }
    new.open()
    await latest.settle()
    #expect(screen.shown == ["new"] && !returned.value)
    old.open()
    #expect(await drained.value == (true, ["new"]))
  }

  @Test("settle returns although the operation it began to wait for never does")
  func settleIgnoresTheSuperseded() async {
    let latest = LatestTask()
    let screen = Screen()
    let never = Gate()
    latest.start(
      {
        await never.wait(); return "old"
      }, apply: screen.show)
    let settled = Task { @MainActor in await latest.settle() }
    while !never.isAwaited { await pause() }
    latest.start({ "new" }, apply: screen.show)
    await settled.value
    #expect(screen.shown == ["new"])
    never.open()
    await latest.drain()
  }

  @Test("any number of tasks may settle at once, and settle again from what apply starts")
  func settleReentered() async {
    let latest = LatestTask()
    let screen = Screen()
    latest.start({ "first" }) { result in
      screen.show(result)
      latest.start({ "second" }, apply: screen.show)
    }
    let waiters = (0..<8).map { _ in
      Task { @MainActor in
        await latest.settle()
        return screen.shown
      }
    }
    for waiter in waiters { #expect(await waiter.value == ["first", "second"]) }
  }

  @Test("an operation that settles on itself stops the program instead of hanging it")
  func settleOnItself() async {
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let latest = LatestTask()
        latest.start({ await latest.settle() }, apply: { _ in })
        return latest
      }.settle()
    }
    expectMessage(exit, "LatestTask.settle() was called by the operation it waits for")
  }

  @Test("releasing the owner cancels the operation and applies nothing")
  func ownerReleased() async {
    let screen = Screen()
    let ended = Gate()
    do {
      let latest = LatestTask()
      latest.start(
        {
          while !Task.isCancelled { await pause() }
          ended.open()
          return "old"
        }, apply: screen.show)
    }
    await ended.wait()
    #expect(screen.shown.isEmpty)
  }

  @Test("runs its operation off the main actor, at the priority asked for")
  func offMain() async {
    let latest = LatestTask()
    let seen = Locked<(onMain: Bool, priority: TaskPriority)?>(nil)
    latest.start(
      priority: .low,
      {
        seen.change { $0 = (isOnMainQueue(), Task.currentPriority) }
      }, apply: { _ in })
    // Nobody waits, so nothing raises the priority.
    while latest.isRunning { await pause() }
    #expect(seen.value?.onMain == false)
    #expect(seen.value?.priority == .low)
  }

  @Test("of ten thousand starts in a burst exactly the last is applied")
  func burst() async {
    let latest = LatestTask()
    let screen = Screen()
    for index in 0..<10_000 { latest.start({ "\(index)" }, apply: screen.show) }
    await latest.drain()
    #expect(screen.shown == ["9999"])
  }
}

/// Blocks the calling thread; what the test of the window between return and apply is about.
private func block(until signal: DispatchSemaphore) {
  signal.wait()
}
