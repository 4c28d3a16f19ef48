/// One line on a terminal that says what is going on, and leaves no trace.
import Foundation
import MainstayAudit
import Synchronization

final class ProgressLine: Sendable {
  private let isShown = Console.erasesLines
  private let last = Mutex<String>("")

  func show(_ progress: AuditProgress) {
    guard isShown else { return }
    let text: String
    switch progress {
    case .building: text = "building…"
    case .reading(let files, let all): text = "reading \(files) of \(all) files…"
    case .judging: text = "judging…"
    }
    last.withLock { last in
      if last == text { return }
      last = text
      FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }
  }

  func clear() {
    if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
  }
}
