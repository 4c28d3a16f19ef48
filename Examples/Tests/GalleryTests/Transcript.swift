import Synchronization

@testable import gallery

/// What a command wrote.
final class Transcript: Sendable {
  private let written = Mutex((lines: [String](), notes: [String]()))

  var lines: [String] { written.withLock { $0.lines } }
  var notes: [String] { written.withLock { $0.notes } }

  var console: Console { console(width: nil) }

  func console(width: Int?) -> Console {
    Console(
      print: { line in self.written.withLock { $0.lines.append(line) } },
      note: { line in self.written.withLock { $0.notes.append(line) } }, width: width)
  }

  func clear() {
    written.withLock { $0 = ([], []) }
  }
}
