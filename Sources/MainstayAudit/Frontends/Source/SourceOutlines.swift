/// The declarations of files by their place: of those that were parsed already, and of the others when somebody asks.
import Synchronization

final class SourceOutlines: Sendable {
  private let known: Mutex<[String: SourceOutline]>

  init(_ known: [String: SourceOutline]) { self.known = Mutex(known) }

  /// How many files were parsed so far.
  var count: Int { known.withLock { $0.count } }

  /// Nil when the file cannot be read.
  func outline(of file: String) -> SourceOutline? {
    known.withLock { known in
      if let outline = known[file] { return outline }
      guard let text = SourceTree.text(file) else { return nil }
      let outline = SourceSyntax.outline(text: text)
      known[file] = outline
      return outline
    }
  }
}
