import CMainstayDemangling

/// A conversation with the child process that demangles, so that a name which ends the demangler ends nothing else.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The child, started when it is asked first and again after a name that it did not survive.
///
/// After `mostFaults` of these no more is asked: what has that many was made to have them.
final class DemanglingChild {
  static let mostFaults = 16
  /// How long a name may take of the processor, in seconds: compilers' take microseconds. The clock on the wall says less:
  /// the machine may stand still, or have no time for the child.
  private static let patience = 5
  /// For how many seconds in which this process itself looked the child may say nothing, whatever it took.
  private static let looks = 300

  private static let longestText = 1 << 22

  /// Names that ended the child, or kept it busy for too long.
  private(set) var faults = 0
  private var running: (socket: Int32, process: pid_t)?

  deinit { end(force: false) }

  /// What the demangler makes of a name; nil when it is none, or the demangler did not survive it.
  func demangle(_ name: [UInt8]) -> String? {
    guard faults < Self.mostFaults, let socket = running?.socket ?? start() else { return nil }
    var length = UInt32(name.count)
    let question = withUnsafeBytes(of: &length, Array.init) + name
    guard send(question, to: socket), let answer = receive(4, from: socket) else { return fault() }
    let size = answer.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    guard size != MAINSTAY_NOT_MANGLED else { return nil }
    guard size <= Self.longestText, let text = receive(Int(size), from: socket) else { return fault() }
    return String(decoding: text, as: UTF8.self)
  }

  private func start() -> Int32? {
    var process: pid_t = 0
    let socket = mainstay_demangler_start(&process)
    guard socket >= 0 else {
      faults = Self.mostFaults
      return nil
    }
    running = (socket, process)
    return socket
  }

  private func fault() -> String? {
    faults += 1
    end(force: true)
    return nil
  }

  private func end(force: Bool) {
    guard let (socket, process) = running else { return }
    running = nil
    close(socket)
    if force { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
  }

  private func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
    #if os(Linux)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    var sent = 0
    while sent < bytes.count {
      let part = bytes[sent...].withUnsafeBytes { systemSend(socket, $0.baseAddress, $0.count, flags) }
      if part < 0 && errno != EINTR { return false }
      sent += max(part, 0)
    }
    return true
  }

  /// Of the processor, by the child.
  private func secondsUsed() -> Int {
    #if canImport(Darwin)
      return 0
    #else
      var (clock, time) = (clockid_t(), timespec())
      guard let process = running?.process, clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0
      else { return 0 }
      return time.tv_sec
    #endif
  }

  private func receive(_ count: Int, from socket: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var got = 0
    var looks = 0
    let used = secondsUsed()
    while got < count {
      var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let polled = poll(&ready, 1, 1000)
      if polled < 0 && errno == EINTR { continue }
      if polled == 0, looks < Self.looks, secondsUsed() - used < Self.patience {
        looks += 1
        continue
      }
      guard polled > 0 else { return nil }
      let part = bytes[got...].withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
      if part < 0 && errno == EINTR { continue }
      guard part > 0 else { return nil }
      got += part
    }
    return bytes
  }
}

/// `send` of the C library, which a method hides.
private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
  send(socket, bytes, count, flags)
}
