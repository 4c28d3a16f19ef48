/// What a value costs on its way from a foreign thread to the main actor, and whether it keeps its place.

import Dispatch
import Mainstay
import Synchronization

private let values = 100_000
private let rounds = 5

private struct Numbered: Sendable {
  var producer: Int
  var number: Int
}

/// Counts what arrives and what arrives out of order.
@MainActor private final class Sink {
  private(set) var inversions = 0
  private var received = 0
  private var last: [Int]
  private let expected: Int
  private let done: @MainActor () -> Void

  init(producers: Int, expecting expected: Int, done: @escaping @MainActor () -> Void) {
    last = Array(repeating: -1, count: producers)
    self.expected = expected
    self.done = done
  }

  func take(_ value: Numbered) {
    if value.number < last[value.producer] { inversions += 1 }
    last[value.producer] = value.number
    received += 1
    if received == expected { done() }
  }
}

private enum Way: String, CaseIterable {
  case task = "Task { @MainActor in }"
  case queue = "DispatchQueue.main.async"
  case boundary = "HoppingBoundary"
}

@MainActor
func hoppingBoundary() async -> [Figure] {
  print(
    "\n## Hopping boundary\n\n\(values) values from foreign threads until the last is applied; median of \(rounds) alternating rounds.\n"
  )
  print("| way | producers | ns a value | inversions |\n|---|---|---|---|")
  var figures: [Figure] = []
  for producers in [1, 4] {
    var times: [Way: [Double]] = [:]
    var inversions: [Way: Int] = [:]
    for _ in 0..<rounds {
      for way in Way.allCases {
        let result = await send(way, producers: producers)
        times[way, default: []].append(result.nanoseconds)
        inversions[way, default: 0] += result.inversions
      }
    }
    let time = times.mapValues(median)
    for way in Way.allCases {
      print("| \(way.rawValue) | \(producers) | \(whole(time[way] ?? 0)) | \(inversions[way] ?? 0) |")
    }
    let hop = time[.boundary] ?? .infinity
    figures += [
      .ratio("hop / Task per value, \(producers) producers", hop / (time[.task] ?? 0), atMost: 0.25),
      .ratio("hop / DispatchQueue.main.async, \(producers) producers", hop / (time[.queue] ?? 0), atMost: 1),
      .count("inversions of the hop, \(producers) producers", inversions[.boundary] ?? 0, atMost: 0),
    ]
  }
  print("\nWith 2 µs of work a value, 15 bursts of \(values) values, a main-queue timer every 1 ms:\n")
  print(
    "| producers | beats | timer late, p99.9 | worst | main-actor job late, p99 | worst |\n|---|---|---|---|---|---|")
  for producers in [1, 4] {
    let late = await lateness(producers: producers)
    print(
      "| \(producers) | \(late.beats) | \(two(late.p999)) ms | \(two(late.worst)) ms "
        + "| \(two(late.jobs.p99 / .milliseconds(1))) ms | \(two(late.jobs.worst / .milliseconds(1))) ms |")
    figures.append(
      .milliseconds("timer late at p99.9 under a hop, \(producers) producers", late.p999, below: 1_000 / 60))
  }
  return figures
}

@MainActor
private func send(_ way: Way, producers: Int) async -> (nanoseconds: Double, inversions: Int) {
  let each = values / producers
  let start = now()
  let sink = await withCheckedContinuation { (continuation: CheckedContinuation<Sink, Never>) in
    var finished: Sink?
    let sink = Sink(producers: producers, expecting: each * producers) {
      if let finished { continuation.resume(returning: finished) }
      finished = nil
    }
    finished = sink
    switch way {
    case .task:
      startForeignThreads(producers) { producer in
        for number in 0..<each { Task { @MainActor in sink.take(Numbered(producer: producer, number: number)) } }
      }
    case .queue:
      startForeignThreads(producers) { producer in
        for number in 0..<each {
          DispatchQueue.main.async {
            MainActor.assumeIsolated { sink.take(Numbered(producer: producer, number: number)) }
          }
        }
      }
    case .boundary:
      let boundary = HoppingBoundary<Numbered>("benchmark") { sink.take($0) }
      startForeignThreads(producers) { producer in
        for number in 0..<each { boundary.send(Numbered(producer: producer, number: number)) }
      }
    }
  }
  return (Double(now() - start) / Double(each * producers), sink.inversions)
}

/// How late an independent timer on the main queue is while a burst of slow values is applied.
@MainActor
private func lateness(producers: Int) async -> (beats: Int, p999: Double, worst: Double, jobs: ActorHeartbeatReport) {
  let each = values / producers
  let beat = Beat(interval: 1_000_000)
  let jobs = ActorHeartbeat(on: MainActor.shared)
  jobs.start(interval: .milliseconds(1))
  for _ in 0..<15 {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let sink = Sink(producers: producers, expecting: each * producers) { continuation.resume() }
      let boundary = HoppingBoundary<Numbered>("benchmark with work") { value in
        burn(nanoseconds: 2_000)
        sink.take(value)
      }
      startForeignThreads(producers) { producer in
        for number in 0..<each { boundary.send(Numbered(producer: producer, number: number)) }
      }
    }
  }
  let late = beat.stop().sorted()
  return (late.count, late[late.count * 999 / 1_000] / 1e6, (late.last ?? 0) / 1e6, await jobs.stop())
}

/// A timer on the main queue that notes how late it is; independent of the library's heartbeat.
@MainActor
final class Beat {
  private let timer: any DispatchSourceTimer
  private var late: [Double] = []
  private var due: UInt64

  init(interval: UInt64) {
    let start = now()
    due = start + interval
    timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(
      deadline: DispatchTime(uptimeNanoseconds: due), repeating: .nanoseconds(Int(interval)), leeway: .nanoseconds(0))
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        guard let self else { return }
        let time = now()
        // Every instant that passed counts, with the lateness it had: a long block is many late beats.
        while self.due <= time {
          self.late.append(Double(time - self.due))
          self.due += interval
        }
      }
    }
    timer.activate()
  }

  /// The latenesses, in nanoseconds.
  func stop() -> [Double] {
    timer.cancel()
    return late
  }
}
