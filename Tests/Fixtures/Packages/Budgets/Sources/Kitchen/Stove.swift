import Foundation

/// Work of a known length: what its thread really ran, however busy the machine is.
public func cook(milliseconds: Double) {
  let end = ran() + milliseconds
  while ran() < end {}
}

private func ran() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// A main-actor model, as an application has them.
@MainActor
public final class Stove {
  public init() {}

  public func fry(milliseconds: Double) { cook(milliseconds: milliseconds) }

  public func simmer(milliseconds: Double) async {
    await Task.yield()
    cook(milliseconds: milliseconds)
    await Task.yield()
  }
}
