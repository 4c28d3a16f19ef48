import Dispatch
import Foundation

/// A program that does what recorders trip over; the first argument says what. It prints what it saw of itself, which must
/// be the same whether or not somebody watches. How long everything took but what it computed and was stopped for goes to
/// stderr, in nanoseconds: no other job was longer.
nonisolated(unsafe) var computed: UInt64 = 0
nonisolated(unsafe) var handled = 0
nonisolated(unsafe) var foreign = 0
nonisolated(unsafe) var previous = sigaction()

@inline(never)
func compute(milliseconds: Int) {
  let start = DispatchTime.now().uptimeNanoseconds
  while DispatchTime.now().uptimeNanoseconds - start < UInt64(milliseconds) * 1_000_000 {}
  computed += DispatchTime.now().uptimeNanoseconds - start
}

func handle(
  _ signal: Int32, flags: Int32,
  _ body: @escaping @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
) {
  var action = sigaction()
  action.__sigaction_handler.sa_sigaction = body
  action.sa_flags = SA_SIGINFO | flags
  sigaction(signal, &action, &previous)
}

func profile() {
  var interval = itimerval()
  interval.it_interval.tv_usec = 5000
  interval.it_value.tv_usec = 5000
  setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &interval, nil)
}

func blocked() -> Bool {
  var mask = sigset_t()
  pthread_sigmask(SIG_BLOCK, nil, &mask)
  return sigismember(&mask, SIGPROF) == 1
}

@MainActor
func act(_ what: String) async {
  switch what {
  case "blocks":
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGPROF)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    compute(milliseconds: 100)
    print("blocked \(blocked())")
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  case "masks":
    for turn in 0..<100 {
      var mask = sigset_t()
      sigfillset(&mask)
      var old = sigset_t()
      pthread_sigmask(turn % 2 == 0 ? SIG_BLOCK : SIG_UNBLOCK, &mask, &old)
      compute(milliseconds: 1)
      if blocked() != (turn % 2 == 0) { print("the mask was changed") }
    }
    print("masks kept")
  case "handles":
    handle(SIGPROF, flags: SA_RESTART) { _, information, _ in
      // A timer's signal has a positive code; one that a thread sends has not.
      if (information?.pointee.si_code ?? 0) > 0 { handled += 1 } else { foreign += 1 }
    }
    profile()
    // Its timer counts what it gets of the processor.
    repeat { compute(milliseconds: 200) } while handled < 5
    print("profiled \(handled >= 5), foreign \(foreign)")
  case "chains":
    // Whoever had it before is told too.
    handle(SIGPROF, flags: SA_RESTART) { signal, information, context in
      handled += 1
      if previous.sa_flags & SA_SIGINFO != 0 {
        previous.__sigaction_handler.sa_sigaction?(signal, information, context)
      }
    }
    profile()
    repeat { compute(milliseconds: 200) } while handled < 5
    print("profiled \(handled >= 5)")
  case "alternate":
    let size = 16384
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
    handle(SIGUSR1, flags: Int32(SA_ONSTACK)) { _, _, _ in compute(milliseconds: 80) }
    // Threads of Dispatch block most signals.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGUSR1)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    raise(SIGUSR1)  // stalls in its handler, on another stack
    compute(milliseconds: 80)
    print("back on the usual stack")
  case "suspended":
    // Somebody continues it a while after it stopped: the time between is nobody's.
    let program = [
      "/bin/sh", "-c",
      "until grep -q '^State:.T' /proc/\(getpid())/status; do sleep 0.01; done; sleep 0.7; kill -CONT \(getpid())",
    ]
    var arguments = program.map { strdup($0) } + [nil]
    var pid: pid_t = 0
    posix_spawn(&pid, program[0], nil, nil, &arguments, environ)
    kill(getpid(), SIGSTOP)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    computed += 700_000_000
    print("continued")
  case "held":
    // By whom it is debugged, who says when that is over: how long a step takes says nothing on a slow machine.
    handle(SIGUSR2, flags: SA_RESTART) { _, _, _ in handled = 1 }
    print("hold")
    fflush(nil)
    while handled == 0 { usleep(10_000) }
    computed += 700_000_000
    print("released")
  case "foreign":
    var values = Array(0..<64).map { $0 &* 7919 % 101 }
    qsort(&values, values.count, MemoryLayout<Int>.stride) { left, right in compareSlowly(left, right) }  // sorts
    print(values[0])
  case "assembly":
    typealias Function = @convention(c) (@convention(c) () -> Void) -> Void
    let library = dlopen(CommandLine.arguments[2], RTLD_NOW)
    guard let symbol = dlsym(library, "by_hand") else { exit(70) }
    unsafeBitCast(symbol, to: Function.self)({ computeInCallback() })
    print("returned")
  case "steady":
    for _ in 0..<50 {
      compute(milliseconds: 2)
      try? await Task.sleep(for: .milliseconds(5))
    }
    print("steady")
  default: exit(64)
  }
}

@inline(never)
func compareSlowly(_ left: UnsafeRawPointer?, _ right: UnsafeRawPointer?) -> Int32 {
  compute(milliseconds: 1)
  guard let left = left?.load(as: Int.self), let right = right?.load(as: Int.self) else { return 0 }
  return left < right ? -1 : left > right ? 1 : 0
}

@inline(never)
func computeInCallback() {
  compute(milliseconds: 80)
  handled += 1
}

@main
struct Unusual {
  @MainActor
  static func main() async {
    let start = DispatchTime.now().uptimeNanoseconds
    await Task.yield()
    await act(CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "")
    await Task.yield()
    let rest = Int64(DispatchTime.now().uptimeNanoseconds - start) - Int64(computed)
    FileHandle.standardError.write(Data("rest \(rest)\n".utf8))
  }
}
