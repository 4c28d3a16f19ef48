/// Clocks, threads and medians for the benchmarks.

import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Nanoseconds of the monotonic clock.
func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

/// Nanoseconds of processor time this process has used, all threads together.
func processorTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Keeps the calling thread busy.
func burn(nanoseconds: UInt64) {
  let end = now() + nanoseconds
  while now() < end {}
}

/// The middle value; of an even number the lower one.
func median(_ values: [Double]) -> Double {
  values.sorted()[(values.count - 1) / 2]
}

/// Two digits after the point.
func two(_ value: Double) -> String {
  let hundredths = Int((abs(value) * 100).rounded())
  let digits = hundredths % 100
  return "\(value < 0 ? "-" : "")\(hundredths / 100).\(digits < 10 ? "0" : "")\(digits)"
}

func whole(_ value: Double) -> String { "\(Int(value.rounded()))" }

func exitProcess(_ status: Int32) -> Never { exit(status) }

/// Starts threads that neither Swift nor Dispatch made, as a foreign runtime does. They end by themselves.
func startForeignThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  for index in 0..<count {
    let start = Unmanaged.passRetained(Start { body(index) })
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    pthread_create(
      &thread, nil,
      { argument in
        #if canImport(Darwin)
          Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
        #else
          if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body() }
        #endif
        return nil
      }, start.toOpaque())
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }
}

/// Sleeps on this thread alone: the cheapest way to be woken again and again.
func sleepThread(nanoseconds: Int) {
  var time = timespec(tv_sec: 0, tv_nsec: nanoseconds)
  nanosleep(&time, nil)
}
