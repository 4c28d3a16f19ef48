/// The ways onto the main actor side by side: what each costs, and what it keeps of its sender.

import Dispatch
import Mainstay
import Synchronization

/// What code on the main actor finds there.
private struct Arrival: Sendable {
  var isCancelled: Bool
  var priority: TaskPriority
}

@MainActor private final class Receiver {
  private(set) var arrivals: [Arrival] = []
  private(set) var inversions = 0
  private var last = -1
  private var received = 0
  private let expected: Int
  private let done: Flag

  init(expecting expected: Int, done: Flag) {
    self.expected = expected
    self.done = done
  }

  func take(_ number: Int) {
    if number < last { inversions += 1 }
    last = number
    received += 1
    if received == expected || number == expected - 1 { done.set() }
  }

  func look() -> Arrival {
    Arrival(isCancelled: Task.isCancelled, priority: Task.currentPriority)
  }
}

private struct Route: Sendable {
  var name: String
  var values: Int
  /// Sends the numbers below a count, and returns when they are sent.
  var send: @Sendable (Receiver, Int) async -> Void
  /// Goes there once and reports what it finds.
  var look: @Sendable (Receiver) async -> Arrival
}

private func fromAThread(_ count: Int, _ send: @escaping @Sendable (Int) -> Void) async {
  await withCheckedContinuation { done in
    startForeignThreads(1) { _ in
      for number in 0..<count { send(number) }
      done.resume()
    }
  }
}

private func routes() -> [Route] {
  [
    Route(
      name: "`await` a `@MainActor` function", values: 20_000,
      send: { receiver, count in for number in 0..<count { await receiver.take(number) } },
      look: { await $0.look() }),
    Route(
      name: "`await MainActor.run { }`", values: 20_000,
      send: { receiver, count in for number in 0..<count { await MainActor.run { receiver.take(number) } } },
      look: { receiver in await MainActor.run { receiver.look() } }),
    Route(
      name: "`Task { @MainActor in }`", values: 100_000,
      send: { receiver, count in await fromAThread(count) { number in Task { @MainActor in receiver.take(number) } } },
      look: { receiver in await Task { @MainActor in receiver.look() }.value }),
    Route(
      name: "`DispatchQueue.main.async`", values: 100_000,
      send: { receiver, count in
        await fromAThread(count) { number in
          DispatchQueue.main.async { MainActor.assumeIsolated { receiver.take(number) } }
        }
      },
      look: { receiver in
        await withCheckedContinuation { found in
          DispatchQueue.main.async { MainActor.assumeIsolated { found.resume(returning: receiver.look()) } }
        }
      }),
    Route(
      name: "`HoppingBoundary`, every value", values: 100_000,
      send: { receiver, count in
        let boundary = HoppingBoundary<Int>("route") { receiver.take($0) }
        await fromAThread(count) { boundary.send($0) }
      },
      look: { receiver in
        await withCheckedContinuation { found in
          HoppingBoundary<Int>("look") { _ in found.resume(returning: receiver.look()) }.send(0)
        }
      }),
    Route(
      name: "`HoppingBoundary`, latest", values: 100_000,
      send: { receiver, count in
        let boundary = HoppingBoundary<Int>("route", delivery: .latest) { receiver.take($0) }
        await fromAThread(count) { boundary.send($0) }
      },
      look: { receiver in
        await withCheckedContinuation { found in
          HoppingBoundary<Int>("look", delivery: .latest) { _ in found.resume(returning: receiver.look()) }.send(0)
        }
      }),
    Route(
      name: "`MainActor.assumeIsolated` (already there)", values: 100_000,
      send: { receiver, count in
        await MainActor.run {
          onMain { for number in 0..<count { MainActor.assumeIsolated { receiver.take(number) } } }
        }
      },
      look: { receiver in await MainActor.run { onMain { MainActor.assumeIsolated { receiver.look() } } } }),
    Route(
      name: "`AssertedBoundary` (already there)", values: 100_000,
      send: { receiver, count in
        let boundary = AssertedBoundary("route", contract: "the benchmark is on the main actor")
        await MainActor.run { onMain { for number in 0..<count { boundary.deliver(number) { receiver.take($0) } } } }
      },
      look: { receiver in
        await MainActor.run {
          let found = Mutex(Arrival(isCancelled: false, priority: .background))
          let boundary = AssertedBoundary("look", contract: "the benchmark is on the main actor")
          boundary.deliver(receiver) { receiver in found.withLock { $0 = receiver.look() } }
          return found.withLock { $0 }
        }
      }),
  ]
}

/// Synchronous code that the compiler does not know to be on the main actor.
@inline(never)
private nonisolated func onMain<Result>(_ body: () -> Result) -> Result { body() }

@MainActor
func routesOntoTheMainActor() async -> [Figure] {
  print("\n## Ways onto the main actor\n")
  print(
    "One sender; from the first value sent until the last is applied, median of 5 rounds. Cancellation and priority:")
  print("what the code on the main actor sees of a cancelled sender of high priority.\n")
  print("| way | ns a value | out of order | sees cancellation | sees priority |\n|---|---|---|---|---|")
  for route in routes() {
    var times: [Double] = []
    var inversions = 0
    for _ in 0..<5 {
      let done = Flag()
      let receiver = Receiver(expecting: route.values, done: done)
      let start = now()
      await Task.detached(priority: .medium) { await route.send(receiver, route.values) }.value
      while !done.isSet { await Task.yield() }
      times.append(Double(now() - start) / Double(route.values))
      inversions += receiver.inversions
    }
    let receiver = Receiver(expecting: 1, done: Flag())
    let sender = Task.detached(priority: .high) {
      withUnsafeCurrentTask { $0?.cancel() }
      return await route.look(receiver)
    }
    let found = await sender.value
    print(
      "| \(route.name) | \(whole(median(times))) | \(inversions) of \(5 * route.values) | \(found.isCancelled ? "yes" : "no") "
        + "| \(found.priority == .high ? "yes" : "no") |")
  }
  return []
}
