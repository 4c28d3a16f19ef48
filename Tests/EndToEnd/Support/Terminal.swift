import Foundation
import Testing

/// A terminal of a test's own, with programs in it that see nothing but a terminal.
final class Terminal {
  /// Everything that was written to it.
  private(set) var text = ""
  let pid: pid_t
  private let control: Int32

  /// Starts a program in a new session, with the new terminal as its own.
  ///
  /// - Parameter environment: added to this process's.
  init(_ command: [String], environment: [String: String] = [:], columns: UInt16 = 80, rows: UInt16 = 24) throws {
    // What posix_openpt, unlockpt and ptsname do: the C library's module for Swift leaves them out.
    control = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    let setLock: UInt = 0x4004_5431  // TIOCSPTLCK
    let getNumber: UInt = 0x8004_5430  // TIOCGPTN
    let isReady = ioctl(control, setLock, &isLocked) == 0 && ioctl(control, getNumber, &number) == 0
    try #require(isReady, "there is no pseudo-terminal to be had here")
    let path = "/dev/pts/\(number)"
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    let hasSize = ioctl(control, UInt(TIOCSWINSZ), &size) == 0
    try #require(hasSize)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a session opens is its own.
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // 0x80: POSIX_SPAWN_SETSID. Whoever runs the tests may ignore signals, as a shell does that runs them in its background.
    posix_spawnattr_setflags(&attributes, 0x80 | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var variables = ProcessInfo.processInfo.environment
    variables["TERM"] = "xterm"
    for (name, value) in environment { variables[name] = value }
    var argv = command.map { strdup($0) } + [nil]
    var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, command[0], &actions, &attributes, &argv, &envp)
    try #require(code == 0, "\(command[0]): \(String(cString: strerror(code)))")
    self.pid = pid
  }

  deinit {
    if !isClosed { Foundation.close(control) }
    if !isOver {
      kill(pid, SIGKILL)
      var status: Int32 = 0
      waitpid(pid, &status, 0)
    }
  }

  /// Reads until the text satisfies a condition, or everything has gone that could write.
  @discardableResult
  func read(until isEnough: (String) -> Bool) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while !isEnough(text) {
      var request = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
      // A test that waits for what does not come fails, and does not hang; no machine stands still for so long.
      guard poll(&request, 1, 600_000) > 0 else { return false }
      let count = Foundation.read(control, &buffer, buffer.count)
      guard count > 0 else { return isEnough(text) }
      bytes += buffer.prefix(count)
      text = String(decoding: bytes, as: UTF8.self)
    }
    return true
  }

  /// Makes the terminal another size, which the programs in it are told.
  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(control, UInt(TIOCSWINSZ), &size)
  }

  /// Returns when the program has gone to sleep so many times more: what it does each time that it wakes, it has done.
  func sleeps(_ times: Int) async throws {
    func count() throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
      return try #require((status.firstMatch(of: /\nvoluntary_ctxt_switches:\s+(\d+)/)?.output.1).flatMap { Int($0) })
    }
    let before = try count()
    while try count() - before < times { try await Task.sleep(for: .milliseconds(10)) }
  }

  func type(_ text: String) {
    var text = text
    _ = text.withUTF8 { write(control, $0.baseAddress, $0.count) }
  }

  func close() {
    isClosed = true
    Foundation.close(control)
  }

  /// How the program ended, after everything that it wrote was read.
  func wait() -> Subprocess.End {
    if !isClosed { read { _ in false } }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    isOver = true
    return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .killed(status & 0x7f)
  }

  private var bytes: [UInt8] = []
  private var isClosed = false
  private var isOver = false
}
