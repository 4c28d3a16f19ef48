// Makes one kind of blocking call on the main actor, each in a job of its own, and prints how many there were, how many
// ended too early, how many failed, and how many were interrupted on purpose.
//
//   disturbed KIND COUNT             calls of 30 ms, for a watcher to look at
//   disturbed KIND COUNT signals     calls of 1 ms, into which this program sends the watcher's signal itself, as the
//                                    watcher does when a call begins between its look and its signal
import Dispatch
import Glibc
import Synchronization

func now() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

actor Elsewhere {
  private var visits = 0
  @inline(never) func visit() { visits += 1 }
}

enum State {
  /// The thread that is in a call, 0 between two.
  static let caller = Atomic<UInt>(0)
  static let isOver = Atomic(false)
  static let sent = Atomic(0)
}

/// A thread that does something to each call from outside.
func startThread(_ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?) {
  var thread = pthread_t()
  pthread_create(&thread, nil, body, nil)
}

// MARK: The calls. Each returns whether it succeeded.

nonisolated(unsafe) var length = 30_000_000  // nanoseconds

@inline(never)
func sleepShort() -> Bool { usleep(UInt32(length / 1000)) == 0 }

@inline(never)
func sleepLong() -> Bool {
  var time = timespec(tv_sec: 0, tv_nsec: length)
  return nanosleep(&time, nil) == 0
}

@inline(never)
func waitForEvent() -> Bool {
  var request = pollfd(fd: channel.0, events: Int16(POLLIN), revents: 0)
  return poll(&request, 1, Int32(length / 1_000_000)) == 0
}

nonisolated(unsafe) var channel: (Int32, Int32) = (-1, -1)
let orders = DispatchSemaphore(value: 0)

/// What the other side does to end a call: after the time has passed.
nonisolated(unsafe) var answer: () -> Void = {}

@inline(never)
func readByte() -> Bool {
  orders.signal()
  var byte: UInt8 = 0
  return read(channel.0, &byte, 1) == 1
}

nonisolated(unsafe) var listener: Int32 = -1
nonisolated(unsafe) var address = sockaddr_un()

@inline(never)
func acceptOne() -> Bool {
  orders.signal()
  let connection = accept(listener, nil, nil)
  guard connection >= 0 else { return false }
  close(connection)
  return true
}

func listen() {
  listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  address.sun_family = sa_family_t(AF_UNIX)
  // A name that no file system holds begins with a zero.
  let name = Array("\0mainstay-disturbed-\(getpid())".utf8)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
  let size = withAddress { bind(listener, $0, $1) }
  guard size == 0, listen(listener, 4) == 0 else { fatalError("no socket") }
}

func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
  let size = socklen_t(MemoryLayout<sockaddr_un>.size)
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
  }
}

func connectOnce() {
  let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  _ = withAddress { connect(client, $0, $1) }
  close(client)
}

@main
struct Disturbed {
  @MainActor
  static func main() async {
    let arguments = CommandLine.arguments
    let count = Int(arguments[2]) ?? 0
    let sends = arguments.count > 3
    if sends { length = 1_000_000 }
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    channel = (ends[0], ends[1])
    let call: () -> Bool
    switch arguments[1] {
    case "usleep": call = sleepShort
    case "nanosleep": call = sleepLong
    case "poll": call = waitForEvent
    case "read":
      call = readByte
      answer = { write(channel.1, "x", 1) }
    case "accept":
      listen()
      call = acceptOne
      answer = connectOnce
    default: fatalError("no call \(arguments[1])")
    }
    startThread { _ in
      while true {
        orders.wait()
        usleep(UInt32(length / 1000))
        answer()
      }
    }
    if sends {
      startThread { _ in
        var turn = 0
        while !State.isOver.load(ordering: .relaxed) {
          turn += 1
          usleep(UInt32(200 + turn * 7919 % 4000))
          let thread = State.caller.load(ordering: .acquiring)
          guard thread != 0 else { continue }
          pthread_kill(pthread_t(thread), SIGPROF)
          State.sent.add(1, ordering: .relaxed)
        }
        return nil
      }
    }
    let elsewhere = Elsewhere()
    var (calls, early, failed) = (0, 0, 0)
    while sends ? State.sent.load(ordering: .relaxed) < count : calls < count {
      await elsewhere.visit()
      let start = now()
      State.caller.store(UInt(pthread_self()), ordering: .releasing)
      let succeeded = call()
      State.caller.store(0, ordering: .releasing)
      calls += 1
      if now() - start < length { early += 1 }
      if !succeeded { failed += 1 }
    }
    State.isOver.store(true, ordering: .relaxed)
    await elsewhere.visit()
    print(calls, early, failed, State.sent.load(ordering: .relaxed))
  }
}
