/// Ctrl-C in the middle of an audit: what it started ends with it, and no source keeps an edit that nothing proves.
import Foundation
import MainstayAudit

enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// From now on a signal that ends this process first ends what the audit started.
  ///
  /// The programs that Foundation starts are process groups of their own, which a terminal's Ctrl-C does not reach: a build
  /// would go on by itself.
  static func endsAudit() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    interrupted = ends[1]
    let source = ends[0]
    let erases = Console.erasesLines
    Thread.detachNewThread {
      var number: UInt8 = 0
      while read(source, &number, 1) < 0, errno == EINTR {}
      Audit.abandon()
      if erases { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
      signal(Int32(number), SIG_DFL)
      kill(getpid(), Int32(number))
    }
    // Whoever starts this process from a thread that takes no signals hands that on, to what is started from here as well.
    var wanted = sigset_t()
    sigemptyset(&wanted)
    for number in signals { sigaddset(&wanted, number) }
    pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    for number in signals {
      var current = sigaction()
      sigaction(number, nil, &current)
      // Whoever started this process so that a signal does not end it meant it.
      if unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        continue
      }
      signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(interrupted, &byte, 1)
      }
    }
  }
}

/// Where the handler tells of a signal: all that it may do. Set once, before there is a handler.
private nonisolated(unsafe) var interrupted: Int32 = -1
