/// What each scenario of nested loops and of endings does.
import Dispatch
import Foundation
import GLibMainActor

extension PumpProbe {
  @MainActor
  static let nestingScenarios: [String: @MainActor (Loop) throws -> Void] = [
    "nested-order": nestedOrder, "nested-deep": nestedDeep, "detach-nested": detachNested, "quit-early": quitEarly,
    "quit-nested": quitNested, "close": close,
  ]

  /// Jobs of before, during and after a nested loop run in the order of the queue.
  @MainActor
  static func nestedOrder(_ loop: Loop) throws {
    try GLibMainActor.attach()
    var ran: [String] = []
    Task { ran.append("before") }
    loop.later(priority: -100) {
      // More urgent than the main actor, so it begins first.
      ran.append("handler")
      Task { ran.append("during") }
      DispatchQueue.main.async { MainActor.assumeIsolated { ran.append("block") } }
      while ran.count < 4 { loop.turn() }
      ran.append("handler ends")
      Task {
        ran.append("after")
        loop.quit()
      }
    }
    loop.run()
    loop.say(ran.joined(separator: ", "))
  }

  /// A job in a loop that is nested in a handler nests another: its own jobs wait until it has ended.
  @MainActor
  static func nestedDeep(_ loop: Loop) throws {
    try GLibMainActor.attach()
    loop.later {
      var ran: [String] = []
      Task {
        Task { ran.append("inner") }
        for _ in 0..<100 { loop.turn() }
        ran.append("outer")
      }
      while ran.count < 2 { loop.turn() }
      loop.say(ran.joined(separator: ", "))
      loop.quit()
    }
    loop.run()
  }

  /// Detached by a job within a nested loop: nothing runs any more, nothing is lost.
  @MainActor
  static func detachNested(_ loop: Loop) throws {
    try GLibMainActor.attach()
    var ran: [String] = []
    loop.later {
      Task {
        ran.append("detaches")
        GLibMainActor.detach()
      }
      while ran.isEmpty { loop.turn() }
      Task { ran.append("later") }
      for _ in 0..<100 { loop.turn() }
      loop.quit()
    }
    loop.run()
    loop.say("while detached: \(ran.joined(separator: ", "))")
    try GLibMainActor.attach()
    Task { loop.quit() }
    loop.run()
    loop.say("attached again: \(ran.joined(separator: ", "))")
  }

  /// A loop that ends while there is work: the work stays, and a loop that runs later does it, in order.
  @MainActor
  static func quitEarly(_ loop: Loop) throws {
    try GLibMainActor.attach()
    var ran: [Int] = []
    Task {
      loop.quit()
      for number in 0..<100 { Task { ran.append(number) } }
    }
    loop.run()
    loop.say("after the end: \(ran.count)")
    Task { loop.quit() }
    loop.run()
    loop.say("in a later loop, in order: \(ran == Array(0..<100))")
  }

  /// Quitting from within a nested loop ends the outer one when the nested one has been left.
  @MainActor
  static func quitNested(_ loop: Loop) throws {
    try GLibMainActor.attach()
    loop.later {
      var ran = false
      Task {
        loop.quit()
        ran = true
      }
      while !ran { loop.turn() }
      loop.say("left the nested loop")
    }
    loop.run()
    loop.say("left the outer loop")
  }

  /// As a window closes: what must not be lost is awaited, off the main actor too, and then the loop ends.
  @MainActor
  static func close(_ loop: Loop) throws {
    try GLibMainActor.attach()
    loop.later {
      Task {
        let saved = await saved()
        loop.say("saved \(saved), then quit")
        loop.quit()
      }
    }
    loop.run()
  }

  @concurrent
  nonisolated private static func saved() async -> Bool {
    try? await Task.sleep(for: .milliseconds(5))
    return true
  }
}
