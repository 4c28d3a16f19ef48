/// Runs one scenario of a main actor that GLib's loop serves, and prints what happened: the tests' own program, because a
/// test process has given its main thread away already.
import CGLib
import Dispatch
import Foundation
import GLibMainActor

@main
struct PumpProbe {
  @MainActor
  static func main() throws {
    let name = CommandLine.arguments.dropFirst().first ?? ""
    guard let scenario = scenarios[name] ?? nestingScenarios[name] else {
      FileHandle.standardError.write(Data("PumpProbe: there is no scenario \"\(name)\"\n".utf8))
      exit(3)
    }
    try scenario(Loop())
  }

  @MainActor
  static let scenarios: [String: @MainActor (Loop) throws -> Void] = [
    "tasks": tasks, "blocks": blocks, "timers": timers, "nested-in-job": nestedInJob,
    "nested-in-handler": nestedInHandler, "order": order, "shutdown": shutdown, "flood": flood, "off-main": offMain,
    "without": without, "twice": twice, "observer": observer,
  ]
}

/// GLib's loop on the main thread, and a transcript that several threads may write to.
@MainActor
final class Loop {
  private let loop = g_main_loop_new(nil, 0)

  func run() { g_main_loop_run(loop) }
  func quit() { g_main_loop_quit(loop) }

  /// One turn of the loop that waits for nothing.
  @discardableResult
  nonisolated func turn() -> Bool { g_main_context_iteration(nil, 0) != 0 }

  nonisolated func say(_ line: String) { print(line) }

  /// Has GLib call an action on the main thread, outside of any main-actor job.
  func later(priority: Int32 = 0, _ action: @escaping @MainActor () -> Void) {
    g_idle_add_full(priority, runAction, Unmanaged.passRetained(Action(action)).toOpaque(), nil)
  }
}

/// What GLib holds until it has called it.
private final class Action {
  let body: @MainActor () -> Void
  init(_ body: @escaping @MainActor () -> Void) { self.body = body }
}

private func runAction(_ data: UnsafeMutableRawPointer?) -> Int32 {
  guard let data else { return 0 }
  let action = Unmanaged<Action>.fromOpaque(data).takeRetainedValue()
  // Contract: GLib calls idle sources of the default main context on the thread that runs its loop, the main one.
  MainActor.assumeIsolated(action.body)
  return 0
}

func isOnMainThread() -> Bool { Thread.isMainThread }
