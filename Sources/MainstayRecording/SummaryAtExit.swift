import Foundation
import MainstayTrace
import Synchronization

/// What a process that nobody stopped recording says when it exits: the only thing that this module prints.
enum SummaryAtExit {
  private static let isPrepared = Mutex(false)

  static func prepare() {
    isPrepared.withLock { isPrepared in
      guard !isPrepared else { return }
      isPrepared = true
      // After the recorder's own, so it runs before it.
      atexit { SummaryAtExit.write() }
    }
  }

  private static func write() {
    guard Recording.isStarted, let summary = try? Recording.stop() else { return }
    let text = summary.text(width: TerminalWidth.columns(of: STDERR_FILENO)) + "\n"
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if written < 0 && errno == EINTR { continue }
      if written <= 0 { return }
      rest = rest.dropFirst(written)
    }
  }
}

extension RunSummary {
  /// The summary with what only the process itself knows.
  init(ofThisProcess recording: MainstayTrace.Recording) {
    self.init(recording)
    process.executable = URL(fileURLWithPath: process.executable).lastPathComponent
    process.arguments = Array(ProcessInfo.processInfo.arguments.dropFirst())
    processes = [TreeProcess(pid: process.pid, executable: process.executable, recorded: true, reason: nil)]
  }
}
