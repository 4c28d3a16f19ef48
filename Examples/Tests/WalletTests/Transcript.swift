/// What a command wrote.
import Synchronization

@testable import wallet

final class Transcript: Sendable {
  private let written = Mutex((lines: [String](), notes: [String]()))

  var lines: [String] { written.withLock { $0.lines } }
  var notes: [String] { written.withLock { $0.notes } }

  var console: Streams {
    Streams(
      print: { line in self.written.withLock { $0.lines.append(line) } },
      note: { line in self.written.withLock { $0.notes.append(line) } })
  }

  func clear() { written.withLock { $0 = ([], []) } }
}
