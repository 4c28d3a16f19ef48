import Dispatch
import Foundation

/// Main-actor jobs that are long for one reason each; the first argument says which. What a person should read of each is
/// in the test that runs it.
@MainActor
final class Catalogue {
  private var files = 0

  /// Believed to leave the main actor, and inherits it.
  func refresh() -> Task<Void, Never> {
    Task {  // walks here
      files = countFiles(below: "/usr/include", atLeast: 60)
    }
  }

  @inline(never)
  func countFiles(below folder: String, atLeast milliseconds: Int) -> Int {
    let start = DispatchTime.now().uptimeNanoseconds
    var count = 0
    repeat {
      guard let all = FileManager.default.enumerator(atPath: folder) else { return count }
      for _ in all { count += 1 }  // counts here
    } while DispatchTime.now().uptimeNanoseconds - start < UInt64(milliseconds) * 1_000_000
    return count
  }
}

@MainActor @inline(never)
func waitForReply() -> Int {
  let reply = DispatchSemaphore(value: 0)
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(90)) { reply.signal() }
  reply.wait()  // waits here
  return 1
}

/// A job that computes for a while and then blocks for about as long.
@MainActor @inline(never)
func twoReasons() -> Int {
  let sum = compute(milliseconds: 120)
  usleep(120_000)  // sleeps here
  return sum
}

@inline(never)
func compute(milliseconds: Int) -> Int {
  let end = DispatchTime.now().uptimeNanoseconds + UInt64(milliseconds) * 1_000_000
  var sum = 0
  while DispatchTime.now().uptimeNanoseconds < end { sum &+= 1 }  // computes here
  return sum
}

actor Elsewhere {
  private var visits = 0
  func visit() { visits += 1 }
}

@MainActor
final class Chain {
  private let elsewhere = Elsewhere()

  /// Waits for what stalls.
  @inline(never)
  func outermost() async -> Int { 1 + (await middle()) }  // waits for the middle

  /// Stalls itself, in the job in which what it waited for resumed: that has returned by then and waits for nothing.
  @inline(never)
  func middle() async -> Int {
    let value = await innermost()
    return value + compute(milliseconds: 80)
  }

  @inline(never)
  func innermost() async -> Int {
    await elsewhere.visit()
    return Int(getpid())
  }
}

@main
struct Stalling {
  @MainActor
  static func main() async {
    switch CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "" {
    case "inherited": await Catalogue().refresh().value
    case "background":
      let task = Task(priority: .background) { @MainActor in waitForReply() }
      // Nothing of higher priority waits for it, which would raise its own.
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          Thread.sleep(forTimeInterval: 0.3)
          continuation.resume()
        }
      }
      print(await task.value)
    case "two": print(twoReasons() > 0)
    case "chain": print(await Chain().outermost() > 0)
    default: exit(64)
    }
  }
}
