// Asks in one of four places, in one of five ways, whether it is on the main actor, and prints the answer.
//
//   Asking start|job|block|foreign assume|executor|isolating|thread|specific

import Dispatch
import Foundation
@_spi(ExperimentalCustomExecutors) import _Concurrency

@main
enum Asking {
  private static let key = DispatchSpecificKey<Bool>()

  static func main() {
    DispatchQueue.main.setSpecific(key: key, value: true)
    let place = CommandLine.arguments[1]
    let way = CommandLine.arguments[2]
    if place == "start" { answer(way) }
    switch place {
    case "job": Task { @MainActor in answer(way) }
    case "block": DispatchQueue.main.async { answer(way) }
    default: Thread.detachNewThread { answer(way) }
    }
    // From here on the main queue is served by threads of the pool, as it is under an async main.
    dispatchMain()
  }

  /// The runtime's own function; an executor is two words.
  private static func isCurrentExecutor(_ executor: UnownedSerialExecutor) -> Bool {
    typealias Words = (UInt, UInt)
    let words = unsafeBitCast(executor, to: Words.self)
    guard let function = dlsym(nil, "swift_task_isCurrentExecutor") else { return false }
    return unsafeBitCast(function, to: (@convention(c) (UInt, UInt) -> Bool).self)(words.0, words.1)
  }

  private static func answer(_ way: String) -> Never {
    let said =
      switch way {
      case "assume": "\(MainActor.assumeIsolated { true })"
      case "executor": "\(isCurrentExecutor(MainActor.sharedUnownedExecutor))"
      case "isolating": MainActor.executor.isIsolatingCurrentContext().map { "\($0)" } ?? "nil"
      case "thread": "\(Thread.isMainThread)"
      default: "\(DispatchQueue.getSpecific(key: key) ?? false)"
      }
    print(said)
    exit(0)
  }
}
