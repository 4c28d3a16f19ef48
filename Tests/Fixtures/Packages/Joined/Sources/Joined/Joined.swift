import Foundation

/// The main actor's work: one job of about 80 ms in a sink, one of about 2 ms, one that never runs, and one of about
/// 50 ms that computes and calls nothing that a rule knows.
@MainActor
final class Screen {
  private var rows = 0
  private let device = Device()

  /// Its long part is the job after the await, two calls down.
  func load() async {
    let count = await source.count()
    rows = count
    device.reset()  // planted: 80 ms
    rows += 1
  }

  /// A synchronous function: it is part of the job of whoever calls it.
  func refresh() {
    usleep(2_000)  // planted: 2 ms
    rows += 1
  }

  func export() async {
    _ = await source.count()
    usleep(40_000)  // planted: never run
  }

  /// Nothing here is known to be slow.
  func layOut() async {
    let count = await source.count()
    var sum = UInt64(count)
    let end = nanoseconds() + 50_000_000
    while nanoseconds() < end { sum = sum &* 6_364_136_223_846_793_005 &+ 1 }  // not foreseen
    rows += Int(truncatingIfNeeded: sum & 1)
  }
}

struct Device {
  @inline(never)
  func reset() {
    settle()
  }

  @inline(never)
  private func settle() {
    usleep(80_000)  // sink: 80 ms
  }
}

actor Source {
  private var calls = 0

  func count() -> Int {
    calls += 1
    return calls
  }
}

let source = Source()

func nanoseconds() -> Int {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return now.tv_sec * 1_000_000_000 + now.tv_nsec
}

@main
struct Joined {
  static func main() async {
    let screen = await Screen()
    await screen.load()
    await screen.layOut()
    let refresh = Task { @MainActor in
      screen.refresh()
    }
    await refresh.value
    if CommandLine.arguments.contains("export") { await screen.export() }
  }
}
