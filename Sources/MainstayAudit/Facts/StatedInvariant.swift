/// Whether a comment says something that could be checked, and what.
enum StatedInvariant {
  static func isOne(_ comment: String) -> Bool {
    let words = comment.split(separator: " ")
    guard words.count >= 3, let first = words.first?.uppercased() else { return false }
    return !["TODO", "TODO:", "FIXME", "FIXME:", "HACK", "HACK:", "XXX", "XXX:", "MARK:"].contains(first)
      && !comment.contains("swiftlint:") && !comment.hasPrefix("mainstay:disable")
  }

  private static let callers = [
    "main", "thread", "queue", "actor", "isolat", "calls", "called", "caller", "contract", "guarantee",
  ]

  /// Whether a function's comment speaks of where it runs, and not only of what it does.
  static func saysWhoCalls(_ comment: String) -> Bool {
    let text = comment.lowercased()
    return isOne(comment) && callers.contains { text.contains($0) }
  }

  /// Whether a comment among a type's members is about sharing the type, and not about one member's use.
  static func speaksOfSharing(_ comment: String) -> Bool {
    let text = comment.lowercased()
    return ["sendable", "unchecked", "thread-safe", "thread safe", "data race", "synchroni"].contains {
      text.contains($0)
    }
  }

  private static let keepers = [
    "thread", "queue", "actor", "owner", "isolat", "region", "disconnected", "executor", "eventloop", "consumer",
  ]
  private static let exactKeepers: Set<String> = ["serial", "serially", "cow"]
  private static let bounds: Set<String> = ["only", "exclusively", "never", "always", "must", "disconnected"]

  /// Whether a comment names what keeps a type from races, other than a lock: the promise itself and its ground, or
  /// who alone may touch it. "Thread-safe" is a promise and no ground.
  static func namesDiscipline(_ comment: String) -> Bool {
    guard isOne(comment) else { return false }
    var text = comment.lowercased()
    for word in ["thread-safe", "thread safe", "threadsafe"] { text = text.replacing(word, with: "") }
    let words = text.split { !$0.isLetter && $0 != "-" }.map(String.init)
    if namesFreeze(words) { return true }
    let isBound = words.contains { $0.hasSuffix("sendable") || $0 == "unchecked" || bounds.contains($0) }
    return isBound
      && words.contains { word in
        exactKeepers.contains(word) || word.hasPrefix("copy-on") || keepers.contains { word.hasPrefix($0) }
      }
  }

  private static let changes = ["mutat", "modif", "chang", "written", "assign"]
  private static let refusals: Set<String> = ["not", "never", "only", "cannot", "immutable", "exactly"]
  private static let times: Set<String> = ["after", "afterwards", "once", "during", "before", "until"]

  /// Whether a comment says when a value stops changing: "must not be modified once the schema is in use".
  static func namesFreeze(_ comment: String) -> Bool {
    isOne(comment) && namesFreeze(comment.lowercased().split { !$0.isLetter }.map(String.init))
  }

  private static func namesFreeze(_ words: [String]) -> Bool {
    words.contains { word in changes.contains { word.hasPrefix($0) } } && words.contains { refusals.contains($0) }
      && words.contains { times.contains($0) }
  }
}
