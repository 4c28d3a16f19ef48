import Foundation

/// What the status line costs while a program runs as many jobs as it can.
extension RecorderBenchmark {
  static func status(_ bench: Workbench) throws -> [Figure] {
    let terminal = try BenchTerminal(
      [bench.tool, "run", "--memory", "64M", "--", try bench.build("millions")])
    // From the first line on, for as long as the program lasts.
    guard terminal.read(until: "% busy") else {
      throw Workbench.Failure(description: "no status line was shown: \(terminal.text)")
    }
    let (start, used) = (ContinuousClock.now, terminal.processorNanoseconds)
    var last = (at: start, used: used)
    var lines = 0
    while terminal.readSome(), !terminal.text.contains("Main actor:") {
      let count = terminal.text.components(separatedBy: "% busy").count
      if count > lines { last = (ContinuousClock.now, terminal.processorNanoseconds) }
      lines = count
    }
    terminal.wait()
    let elapsed = (last.at - start) / .nanoseconds(1)
    guard elapsed > 1e9 else { throw Workbench.Failure(description: "it was over too soon to be measured") }
    return [
      Figure(
        "status line, of a processor", Double(last.used - used) / elapsed * 100, "%", atMost: 1,
        "processor time of 'mainstay run' itself over \(Int(elapsed / 1e9)) s in which it drew \(lines) lines and the "
          + "program ran as many jobs as it could")
    ]
  }
}

/// A terminal with one program in it.
private final class BenchTerminal {
  private(set) var text = ""
  private let control: Int32
  private var pid: pid_t = 0

  init(_ command: [String]) throws {
    // What posix_openpt, unlockpt and ptsname do: the C library's module for Swift leaves them out.
    control = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    guard ioctl(control, 0x4004_5431 as UInt, &isLocked) == 0, ioctl(control, 0x8004_5430 as UInt, &number) == 0 else {
      throw Workbench.Failure(description: "there is no pseudo-terminal to be had here")
    }
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(control, UInt(TIOCSWINSZ), &size)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/pts/\(number)", O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setflags(&attributes, 0x80)  // POSIX_SPAWN_SETSID
    let environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
    var argv = command.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    guard posix_spawn(&pid, command[0], &actions, &attributes, &argv, &envp) == 0 else {
      throw Workbench.Failure(description: "\(command[0]) could not be started")
    }
  }

  deinit { close(control) }

  func read(until part: String) -> Bool {
    while !text.contains(part) { if !readSome() { return false } }
    return true
  }

  /// False when nothing more comes.
  func readSome() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = Foundation.read(control, &buffer, buffer.count)
    guard count > 0 else { return false }
    text += String(decoding: buffer.prefix(count), as: UTF8.self)
    return true
  }

  /// Of the program that was started, all its threads together; not of its children.
  var processorNanoseconds: Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
    return tasks.map { task in
      let text = (try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/schedstat", encoding: .utf8)) ?? ""
      return Int(text.prefix { $0 != " " }) ?? 0
    }.reduce(0, +)
  }

  func wait() {
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }
}
