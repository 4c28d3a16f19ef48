/// Finds the toolchain's `llvm-symbolizer` and runs it: the only file that starts it.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The external program that reads DWARF, and one conversation with it at a time.
public struct SymbolizerTool: Hashable, Sendable {
  /// Names the symboliser to use instead of the one that is found.
  public static let environmentVariable = "MAINSTAY_SYMBOLIZER"

  public let path: String
  /// How long the tool may say nothing before it is given up, in milliseconds. Its first answer about an image with a
  /// gigabyte of debug information takes seconds.
  public var patience: Int32 = 60_000

  public init(path: String) { self.path = path }

  /// Why the tool did not answer, or not everything.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    case cannotStart(path: String, error: Int32)
    case silent(path: String, image: String, milliseconds: Int32)
    case ended(path: String, image: String, status: Int32)

    public var description: String {
      switch self {
      case .cannotStart(let path, let error):
        "\(path) could not be started: \(String(cString: strerror(error))). "
          + "Set \(SymbolizerTool.environmentVariable) to the toolchain's llvm-symbolizer."
      case .silent(let path, let image, let milliseconds):
        "\(path) said nothing about \(image) for \(milliseconds / 1000) s and was stopped: its functions have no lines. "
          + "Build it with less debug information, or try again."
      case .ended(let path, let image, let status):
        "\(path) ended with status \(status) while reading \(image): some functions have no lines. "
          + "Set \(SymbolizerTool.environmentVariable) to the llvm-symbolizer of the toolchain that built it."
      }
    }
  }

  /// The symboliser that `environment` leads to: the override, then the one beside the `swift` on `PATH` (links
  /// resolved, as `PATH` usually holds links into a toolchain), then the one on `PATH`. An override is taken as it is,
  /// so that a wrong one is reported and not silently replaced.
  public static func find(environment: [String: String]) -> SymbolizerTool? {
    if let override = environment[environmentVariable], !override.isEmpty { return SymbolizerTool(path: override) }
    let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    for folder in folders {
      guard isExecutable("\(folder)/swift"), let swift = resolved("\(folder)/swift") else { continue }
      let beside = swift[..<(swift.lastIndex(of: "/") ?? swift.startIndex)] + "/llvm-symbolizer"
      if isExecutable(String(beside)) { return SymbolizerTool(path: String(beside)) }
    }
    return folders.map { "\($0)/llvm-symbolizer" }.first(where: isExecutable).map { SymbolizerTool(path: $0) }
  }

  /// Asks about `addresses` of one image in one child process.
  ///
  /// - Returns: what the child wrote, which is one line of JSON for each address that it got to, and why that is not
  ///   everything.
  func ask(image: String, addresses: [UInt64], environment: [String: String]) -> (output: [UInt8], failure: Failure?) {
    let question = Array(addresses.map { "0x" + String($0, radix: 16) + "\n" }.joined().utf8)
    let arguments = [path, "--obj=\(image)", "--no-demangle", "--inlines", "--output-style=JSON"]
    // The child must not record itself, nor look for debug information on the network.
    let inherited = environment.filter {
      $0.key != "LD_PRELOAD" && $0.key != "DEBUGINFOD_URLS" && !$0.key.hasPrefix("MAINSTAY_")
    }
    let child: Child
    do { child = try Child(arguments: arguments, environment: inherited) } catch {
      return ([], .cannotStart(path: path, error: error.code))
    }
    let (output, isSilent) = child.converse(question, patience: patience)
    let status = child.end(force: isSilent)
    if isSilent { return (output, .silent(path: path, image: image, milliseconds: patience)) }
    return (output, status == 0 ? nil : .ended(path: path, image: image, status: status))
  }

  private static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

  private static func resolved(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}

/// A child process with one socket as its input and output.
private struct Child {
  struct StartError: Error { let code: Int32 }

  private let process: pid_t
  private let socket: Int32

  init(arguments: [String], environment: [String: String]) throws(StartError) {
    // A socket and not two pipes: writing to a child that has died is then an error and not a SIGPIPE.
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw StartError(code: errno)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, arguments[0], &actions, &attributes, &argv, &envp)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      throw StartError(code: code)
    }
    self.process = process
    socket = ends[0]
  }

  /// Writes and reads in turn, whichever the child is ready for: neither side can wait for the other for ever.
  func converse(_ question: [UInt8], patience: Int32) -> (output: [UInt8], isSilent: Bool) {
    var output: [UInt8] = []
    var sent = 0
    var isOpen = true
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if sent == question.count, isOpen {
        shutdown(socket, Int32(SHUT_WR))
        isOpen = false
      }
      var ready = pollfd(fd: socket, events: Int16(POLLIN) | (isOpen ? Int16(POLLOUT) : 0), revents: 0)
      let count = poll(&ready, 1, patience)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return (output, true) }
      if ready.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
        let got = recv(socket, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        if got > 0 { output.append(contentsOf: chunk[0..<got]) }
        if got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR) { return (output, false) }
      }
      if isOpen, ready.revents & Int16(POLLOUT) != 0 {
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        let put = question[sent...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, flags) }
        if put > 0 { sent += put }
        // A child that stopped listening may still have answers to read.
        if put < 0 && errno != EAGAIN && errno != EINTR { sent = question.count }
      }
    }
  }

  /// Waits for the child, killing it first when it has to be.
  ///
  /// - Returns: its exit status, or 128 and the signal that ended it.
  func end(force: Bool) -> Int32 {
    close(socket)
    if force { kill(process, SIGKILL) }
    var status: Int32 = 0
    // mainstay:disable:next async_blocking - the child lost its input or was killed, so it is about to end
    while waitpid(process, &status, 0) < 0 { if errno != EINTR { return -1 } }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}
