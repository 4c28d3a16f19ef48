/// What each scenario does.
import Dispatch
import Foundation
import GLibMainActor

@concurrent
private func elsewhere() async -> Bool { !isOnMainThread() }

extension PumpProbe {
  @MainActor
  static func tasks(_ loop: Loop) throws {
    try GLibMainActor.attach()
    Task {
      loop.say("task on main: \(isOnMainThread())")
      let left = await elsewhere()
      loop.say("left main: \(left), back on main: \(isOnMainThread())")
      try? await Task.sleep(for: .milliseconds(1))
      loop.say("after sleep on main: \(isOnMainThread())")
      let sum = await withTaskGroup(of: Int.self) { group in
        for number in 1...100 { group.addTask { @MainActor in isOnMainThread() ? number : 0 } }
        var sum = 0
        for await number in group { sum += number }
        return sum
      }
      loop.say("sum of children on main: \(sum)")
      loop.quit()
    }
    loop.run()
  }

  @MainActor
  static func blocks(_ loop: Loop) throws {
    DispatchQueue.main.async { MainActor.assumeIsolated { loop.say("enqueued before attach") } }
    try GLibMainActor.attach()
    DispatchQueue.global().async {
      let answer = DispatchQueue.main.sync { MainActor.assumeIsolated { isOnMainThread() } }
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          loop.say("sync from a worker on main: \(answer)")
          loop.quit()
        }
      }
    }
    loop.run()
  }

  @MainActor
  static func timers(_ loop: Loop) throws {
    try GLibMainActor.attach()
    let timer = DispatchSource.makeTimerSource(queue: .main)
    var beats = 0
    timer.setEventHandler {
      MainActor.assumeIsolated {
        beats += 1
        guard beats == 5 else { return }
        loop.say("beats on main: \(beats) \(isOnMainThread())")
        timer.cancel()
        loop.quit()
      }
    }
    timer.schedule(deadline: .now(), repeating: .milliseconds(2))
    timer.activate()
    loop.run()
  }

  /// A job that runs a loop of its own: other jobs wait for it, and none is forgotten.
  @MainActor
  static func nestedInJob(_ loop: Loop) throws {
    try GLibMainActor.attach()
    Task {
      var ran = false
      Task {
        ran = true
        loop.say("inner ran after the outer job")
        loop.quit()
      }
      var handled = false
      loop.later { handled = true }
      // Turns until GLib's own source has run, and some more.
      while !handled { loop.turn() }
      var turns = 0
      while turns < 100 {
        loop.turn()
        turns += 1
      }
      loop.say("within the job: handler \(handled), inner \(ran)")
    }
    loop.run()
  }

  @MainActor
  static func nestedInHandler(_ loop: Loop) throws {
    try GLibMainActor.attach()
    loop.later {
      var ran = false
      Task { ran = true }
      while !ran { loop.turn() }
      loop.say("within the handler: inner \(ran)")
      loop.quit()
    }
    loop.run()
  }

  /// Jobs and blocks of several threads: each thread's own come in order.
  @MainActor
  static func order(_ loop: Loop) throws {
    try GLibMainActor.attach()
    let arrivals = Arrivals(from: 4, each: 5000)
    for producer in 0..<4 {
      Thread.detachNewThread {
        for number in 0..<5000 {
          DispatchQueue.main.async {
            MainActor.assumeIsolated { if arrivals.note(number, of: producer) { loop.quit() } }
          }
        }
      }
    }
    loop.run()
    loop.say("in order: \(arrivals.seen.allSatisfy { $0 == Array(0..<5000) })")
    var mixed: [Int] = []
    for number in 0..<1000 {
      if number % 2 == 0 {
        DispatchQueue.main.async { MainActor.assumeIsolated { mixed.append(number) } }
      } else {
        Task { mixed.append(number) }
      }
    }
    Task { loop.quit() }
    loop.run()
    loop.say("tasks and blocks in order: \(mixed == Array(0..<1000))")
  }

  @MainActor
  static func shutdown(_ loop: Loop) throws {
    try GLibMainActor.attach()
    var ran: [String] = []
    Task {
      ran.append("first")
      GLibMainActor.detach()
      Task { ran.append("while detached") }
      DispatchQueue.main.async { MainActor.assumeIsolated { ran.append("block while detached") } }
    }
    while ran.isEmpty { loop.turn() }
    for _ in 0..<100 { loop.turn() }
    loop.say("attached \(GLibMainActor.isAttached): \(ran.joined(separator: ", "))")
    try GLibMainActor.attach()
    Task { loop.quit() }
    loop.run()
    loop.say("attached \(GLibMainActor.isAttached): \(ran.joined(separator: ", "))")
    GLibMainActor.detach()
    GLibMainActor.detach()
  }

  /// A main actor that never pauses, and a source of the priority that GTK redraws at.
  @MainActor
  static func flood(_ loop: Loop) throws {
    try GLibMainActor.attach()
    var draws = 0
    func draw() {
      draws += 1
      if draws < 10 { loop.later(priority: 120, draw) }
    }
    loop.later(priority: 120, draw)
    Task {
      while draws < 10 { await Task.yield() }
      loop.say("draws during a flood of jobs: \(draws)")
      loop.quit()
    }
    loop.run()
  }

  /// After `dispatchMain()`, as after the first suspension of an async main, the main actor is on another thread.
  @MainActor
  static func offMain(_ loop: Loop) throws {
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        do {
          try GLibMainActor.attach()
        } catch {
          loop.say("\(error)")
        }
        loop.say("attached: \(GLibMainActor.isAttached)")
        fflush(nil)
        exit(0)
      }
    }
    dispatchMain()
  }

  /// What the library is for: nobody serves the main actor, and nothing says so.
  @MainActor
  static func without(_ loop: Loop) throws {
    var ran = false
    Task { ran = true }
    var handled = 0
    func count() {
      handled += 1
      if handled < 100 { loop.later(count) } else { loop.quit() }
    }
    loop.later(count)
    loop.run()
    loop.say("ran without attach: \(ran)")
  }

  @MainActor
  static func twice(_ loop: Loop) throws {
    try GLibMainActor.attach()
    try GLibMainActor.attach(priority: 200)
    var runs = 0
    Task {
      runs += 1
      Task { loop.quit() }
    }
    loop.run()
    loop.say("runs: \(runs)")
  }

  /// The loop tells of every stretch of jobs and of every turn, and no longer when nobody observes.
  @MainActor
  static func observer(_ loop: Loop) throws {
    final class Observer: LoopObserver {
      var jobs: [Duration] = []
      var turns: [Duration] = []
      func ranJobs(for length: Duration) { jobs.append(length) }
      func turned(for length: Duration) { turns.append(length) }
    }
    let observer = Observer()
    try GLibMainActor.attach()
    GLibMainActor.observe(observer)
    Task {
      busy(milliseconds: 30)
      Task { loop.quit() }
    }
    loop.run()
    loop.later {
      busy(milliseconds: 20)
      Task { loop.quit() }
    }
    loop.run()
    loop.say("planted job of 30 ms seen: \(observer.jobs.contains { $0 >= .milliseconds(30) })")
    let turns = observer.turns.filter { $0 >= .milliseconds(20) }
    loop.say("turns with the job and with the handler seen: \(turns.count >= 2)")
    GLibMainActor.observe(nil)
    let count = observer.turns.count
    Task { loop.quit() }
    loop.run()
    loop.say("turns told afterwards: \(observer.turns.count - count)")
  }

  private static func busy(milliseconds: Int) {
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while ContinuousClock.now < end {}
  }
}

/// What several threads sent, as it arrived.
@MainActor
private final class Arrivals {
  private(set) var seen: [[Int]]
  private var missing: Int

  init(from producers: Int, each count: Int) {
    seen = Array(repeating: [], count: producers)
    missing = producers * count
  }

  /// - Returns: true when everything has arrived.
  func note(_ number: Int, of producer: Int) -> Bool {
    seen[producer].append(number)
    missing -= 1
    return missing == 0
  }
}
