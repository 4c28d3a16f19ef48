import Foundation

/// A program started in this terminal with this process's input and output, as if it had been started without us.
///
/// Its signals are its own: what the terminal sends, it gets; what is sent to us, we pass on. When it stops, we stop.
struct ChildProcess {
  let pid: pid_t

  enum End: Equatable {
    case exited(Int32)
    case killed(Int32)

    var status: Int32 {
      switch self {
      case .exited(let code): code
      case .killed(let signal): 128 + signal
      }
    }
  }

  struct SpawnError: Error, CustomStringConvertible {
    let path: String
    let code: Int32

    var description: String {
      code == ENOEXEC
        ? "\(path) is not a program that can be executed here (exec format error)."
        : "\(path) could not be started: \(String(cString: strerror(code)))."
    }
  }

  /// Signals that are passed on. SIGINT and SIGQUIT from a terminal reach the program without us.
  private static let forwarded = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCONT, SIGWINCH, SIGALRM]

  /// Blocks the signals that `wait` takes care of. Before any thread is made, so that all inherit it.
  static func prepare() -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in forwarded + [SIGCHLD, SIGTSTP] { sigaddset(&set, signal) }
    var old = sigset_t()
    sigprocmask(SIG_BLOCK, &set, &old)
    return old
  }

  /// - Parameter mask: the signals that the program starts with blocked.
  init(path: String, name: String, arguments: [String], environment: [String: String], mask: sigset_t) throws {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = mask
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var argv = ([name] + arguments).map { strdup($0) } + [nil]
    var envp = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, nil, &attributes, &argv, &envp)
    guard code == 0 else { throw SpawnError(path: path, code: code) }
    self.pid = pid
  }

  /// Waits for the program to end, passing signals on. `tick` is called when nothing happened for `interval`, `pause`
  /// before the terminal goes to somebody else because the program was stopped.
  func wait(
    tick: (() -> Void)? = nil, every interval: Duration = .milliseconds(100), pause: (() -> Void)? = nil
  ) -> End {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in Self.forwarded + [SIGCHLD, SIGTSTP] { sigaddset(&set, signal) }
    while true {
      var status: Int32 = 0
      let found = waitpid(pid, &status, WNOHANG | WUNTRACED)
      if found == pid {
        if status & 0x7f == 0 { return .exited(status >> 8 & 0xff) }
        if status & 0xff == 0x7f {
          // Stopped from the terminal, which means us as well, and which continues us both. When somebody has stopped
          // only the program, we wait on.
          if [SIGTSTP, SIGTTIN, SIGTTOU].contains(status >> 8 & 0xff) {
            pause?()
            kill(getpid(), SIGSTOP)
            kill(pid, SIGCONT)
          }
        } else {
          return .killed(status & 0x7f)
        }
      } else if found < 0 && errno != EINTR {
        return .exited(1)
      }
      var information = siginfo_t()
      let signal: Int32
      if tick != nil {
        let components = interval.components
        var timeout = timespec(tv_sec: Int(components.seconds), tv_nsec: Int(components.attoseconds / 1_000_000_000))
        signal = sigtimedwait(&set, &information, &timeout)
      } else {
        signal = sigwaitinfo(&set, &information)
      }
      if signal < 0 {
        if errno == EAGAIN { tick?() }
      } else if signal == SIGHUP && getsid(0) == getpid() {
        // The terminal has closed, and told its session's leader alone: without us that is the program.
        kill(pid, SIGHUP)
        kill(pid, SIGCONT)
      } else if signal != SIGCHLD && signal != SIGTSTP && information.si_code <= 0 {
        kill(pid, signal)  // sent by somebody to us: a terminal has sent it to the program already
      }
    }
  }
}
