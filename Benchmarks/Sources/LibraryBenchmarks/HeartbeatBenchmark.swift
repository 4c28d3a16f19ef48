/// Whether the heartbeat tells the truth, and what it costs to have one.

import Dispatch
import Mainstay
import Synchronization

@MainActor
func heartbeat() async -> [Figure] {
  var figures = await plantedStalls()
  figures += await saturatedPool()
  figures += await cost()
  return figures
}

@MainActor
private func plantedStalls() async -> [Figure] {
  print(
    """

    ## Heartbeat: planted stalls

    Interval 2 ms, twenty stalls of each length at times unrelated to the beats, in a program that was idle before.

    """)
  print("| planted | by | measured, least to most | worst error |\n|---|---|---|---|")
  var outside = 0
  for length in [5, 10, 20, 55, 80, 150, 210] {
    for (way, stall) in [("computing", burn), ("sleeping", { sleepThread(nanoseconds: Int($0)) })]
      as [(String, (UInt64) -> Void)]
    {
      var measured: [Double] = []
      var worstError = 0.0
      for round in 0..<10 {
        let heartbeat = Heartbeat()
        heartbeat.start()
        try? await Task.sleep(for: .microseconds(7_000 + 4_137 * round))
        let start = now()
        stall(UInt64(length) * 1_000_000)
        let truth = Double(now() - start) / 1e6
        try? await Task.sleep(for: .milliseconds(5))
        let late = await heartbeat.stop().worst / .milliseconds(1)
        measured.append(late)
        if abs(late - truth) > abs(worstError) { worstError = late - truth }
        if abs(late - truth) > 2 { outside += 1 }
      }
      print(
        "| \(length) ms | \(way) | \(two(measured.min() ?? 0)) to \(two(measured.max() ?? 0)) ms | \(two(worstError)) ms |"
      )
    }
  }
  return [.count("planted stalls measured outside one interval, of 140", outside, atMost: 0)]
}

@MainActor
private func saturatedPool() async -> [Figure] {
  print("\n## Heartbeat: a saturated pool\n\nTwenty pieces of 15 ms in a task group, medium priority, five runs.\n")
  print("| run | main actor late | pool late | diagnosis |\n|---|---|---|---|")
  var worstMain = 0.0
  var leastPool = Double.infinity
  for run in 1...5 {
    let heartbeat = Heartbeat()
    heartbeat.start()
    try? await Task.sleep(for: .milliseconds(10))
    await Task(priority: .medium) { @concurrent in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<20 { group.addTask { burn(nanoseconds: 15_000_000) } }
      }
    }.value
    let report = await heartbeat.stop()
    let main = report.worst / .milliseconds(1)
    let pool = report.poolLateness / .milliseconds(1)
    worstMain = max(worstMain, main)
    leastPool = min(leastPool, pool)
    print("| \(run) | \(two(main)) ms | \(two(pool)) ms | \(report.diagnosis.rawValue) |")
  }
  return [
    .milliseconds("saturated pool: worst lateness of the main actor", worstMain, below: 1_000 / 60),
    .milliseconds("saturated pool: least lateness of the pool", leastPool, above: 100),
  ]
}

@MainActor
private func cost() async -> [Figure] {
  print(
    "\n## Heartbeat: cost\n\nProcessor time of the process over 2 s at an interval of 2 ms, an otherwise idle program; medians of 9 alternating rounds, and of the rounds' ratios.\n"
  )
  var bare: [Double] = []
  var beating: [Double] = []
  var sleeping: [Double] = []
  for _ in 0..<9 {
    bare.append(
      await share {
        let stop = Flag()
        startForeignThreads(1) { _ in while !stop.isSet { sleepThread(nanoseconds: 2_000_000) } }
        return { stop.set() }
      })
    beating.append(
      await share {
        let heartbeat = Heartbeat()
        heartbeat.start()
        return { _ = await heartbeat.stop() }
      })
    sleeping.append(
      await share {
        let loop = Task { while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(2)) } }
        return { loop.cancel() }
      })
  }
  print("| beats made by | share of one core |\n|---|---|")
  print("| a thread that only sleeps (`nanosleep`) | \(two(median(bare))) % |")
  print("| `Heartbeat` | \(two(median(beating))) % |")
  print("| a main-actor loop around `Task.sleep` | \(two(median(sleeping))) % |")
  return [.ratio("heartbeat / bare nanosleep loop", median(zip(beating, bare).map { $0 / $1 }), atMost: 2.5)]
}

/// The per cent of one core the process uses while something runs.
@MainActor
private func share(_ start: () -> (() async -> Void)) async -> Double {
  let end = start()
  try? await Task.sleep(for: .milliseconds(20))
  let begun = (time: now(), used: processorTime())
  try? await Task.sleep(for: .seconds(2))
  let share = Double(processorTime() - begun.used) / Double(now() - begun.time) * 100
  await end()
  try? await Task.sleep(for: .milliseconds(20))
  return share
}

/// A flag that one thread sets and another reads.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
