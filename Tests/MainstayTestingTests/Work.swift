import Foundation

/// Keeps the thread running for this long of its own time, however busy the machine is.
func work(milliseconds: Double) {
  func ran() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
  let end = ran() + milliseconds
  while ran() < end {}
}

@MainActor
final class Model {
  func decode(milliseconds: Double) { work(milliseconds: milliseconds) }  // decode

  func reload(milliseconds: Double) async {
    await Task.yield()
    work(milliseconds: milliseconds)
    await Task.yield()
  }
}
