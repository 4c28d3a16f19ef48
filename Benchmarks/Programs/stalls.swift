// Plants 100 stalls of 31 to 60 ms on the main actor, every second one blocked in a call, and prints of each: the function
// that made it, the call it blocks in ("-" when it runs), and how long it was, in nanoseconds.
import Dispatch
import Glibc

func now() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

@inline(never)
func after(_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
}

@inline(never)
func mix(_ value: UInt64) -> UInt64 {
  var value = value
  for _ in 0..<200 { value = (value ^ value >> 29) &* 0xbf58_476d_1ce4_e5b9 }
  return value
}

actor Elsewhere {
  private var visits = 0
  @inline(never) func visit() { visits += 1 }
}

struct Pipe: Sendable {
  let read: Int32
  let write: Int32

  init() {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    (read, write) = (ends[0], ends[1])
  }
}

let signal = DispatchSemaphore(value: 0)
let channel = Pipe()
nonisolated(unsafe) var sum: UInt64 = 1
nonisolated(unsafe) var bytes = [UInt8](repeating: 7, count: 1 << 20)

// MARK: Running

@MainActor @inline(never)
func plantedClock(_ milliseconds: Int) {
  let end = now() + milliseconds * 1_000_000
  while now() < end {}
}

@MainActor @inline(never)
func plantedArithmetic(_ milliseconds: Int) {
  let end = now() + milliseconds * 1_000_000
  while now() < end { sum = mix(sum) }
}

@MainActor @inline(never)
func plantedCopies(_ milliseconds: Int) {
  let end = now() + milliseconds * 1_000_000
  while now() < end { memmove(&bytes, Array(bytes), bytes.count) }
}

@MainActor @inline(never)
func plantedStrings(_ milliseconds: Int) {
  let end = now() + milliseconds * 1_000_000
  while now() < end { sum &+= UInt64(String(sum, radix: 16).hash) }
}

extension String {
  var hash: UInt { UInt(bitPattern: hashValue) }
}

@MainActor @inline(never)
func plantedSort(_ milliseconds: Int) {
  let end = now() + milliseconds * 1_000_000
  while now() < end {
    var values = (0..<300).map { UInt64($0) &* 0x9e37_79b9_7f4a_7c15 }
    values.sort()
    sum &+= values[0]
  }
}

// MARK: Blocked

@MainActor @inline(never)
func plantedSleep(_ milliseconds: Int) {
  usleep(UInt32(milliseconds * 1000))
  sum &+= 1  // or the call would take this function's place on the stack
}

@MainActor @inline(never)
func plantedRead(_ milliseconds: Int) {
  after(milliseconds) { write(channel.write, "x", 1) }
  var byte: UInt8 = 0
  read(channel.read, &byte, 1)
}

@MainActor @inline(never)
func plantedPoll(_ milliseconds: Int) {
  var request = pollfd(fd: channel.read, events: Int16(POLLIN), revents: 0)
  poll(&request, 1, Int32(milliseconds))
  sum &+= 1
}

@MainActor @inline(never)
func plantedSemaphore(_ milliseconds: Int) {
  after(milliseconds) { signal.signal() }
  signal.wait()
  sum &+= 1
}

@MainActor @inline(never)
func plantedQueue(_ milliseconds: Int) {
  DispatchQueue.global().sync { sum &+= UInt64(usleep(UInt32(milliseconds * 1000))) }
  sum &+= 1
}

@main
struct Stalls {
  @MainActor
  static func main() async {
    let elsewhere = Elsewhere()
    let running: [(String, @MainActor (Int) -> Void)] = [
      ("plantedClock", plantedClock), ("plantedArithmetic", plantedArithmetic), ("plantedCopies", plantedCopies),
      ("plantedStrings", plantedStrings), ("plantedSort", plantedSort),
    ]
    let blocked: [(String, String, @MainActor (Int) -> Void)] = [
      ("plantedSleep", "nanosleep", plantedSleep), ("plantedRead", "read", plantedRead),
      ("plantedPoll", "poll", plantedPoll), ("plantedSemaphore", "wait", plantedSemaphore),
      ("plantedQueue", "usleep", plantedQueue),
    ]
    for turn in 0..<50 {
      let milliseconds = 31 + turn * 29 / 49
      await elsewhere.visit()
      let (name, plant) = running[turn % 5]
      var start = now()
      plant(milliseconds)
      print(name, "-", now() - start)
      await elsewhere.visit()
      let (other, call, block) = blocked[turn % 5]
      start = now()
      block(milliseconds)
      print(other, call, now() - start)
    }
    await elsewhere.visit()
  }
}
