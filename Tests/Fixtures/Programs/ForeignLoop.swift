import Dispatch
import Foundation

/// A main actor that somebody else's event loop serves, as a toolkit's does: it waits on Dispatch's file descriptor and
/// drains the main queue when there is something on it.
@_silgen_name("_dispatch_get_main_queue_handle_4CF") func mainQueueDescriptor() -> Int32
@_silgen_name("_dispatch_main_queue_callback_4CF") func drainMainQueue(_ message: UnsafeMutableRawPointer?)

@MainActor
final class Ticker {
  private(set) var ticks = 0

  func tick() { ticks += 1 }
}

@MainActor
func loop() {
  let ticker = Ticker()
  Task.detached {
    for _ in 0..<40 { await ticker.tick() }
  }
  var wait = pollfd(fd: mainQueueDescriptor(), events: Int16(POLLIN), revents: 0)
  while ticker.ticks < 40 {
    poll(&wait, 1, -1)
    var count: UInt64 = 0
    _ = read(wait.fd, &count, 8)
    drainMainQueue(nil)
  }
  print("ticked \(ticker.ticks) times")
}

@main
struct ForeignLoop {
  static func main() { loop() }
}
