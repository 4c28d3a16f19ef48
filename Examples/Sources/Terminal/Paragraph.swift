/// Words broken into lines.

public enum Paragraph {
  /// How wide a message is on a terminal that is wider: longer lines are hard to read.
  public static let messageWidth = 80

  /// - Parameters:
  ///   - width: of the terminal; nil for a file, whose lines are 100 columns wide.
  ///   - indent: how far every line but the first is moved to the right.
  public static func wrapped(_ text: String, width: Int?, indent: Int = 0) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] = String(word)
      } else if lines[lines.count - 1].count + 1 + word.count <= width ?? 100 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(repeating: " ", count: indent) + word)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// A message about a failure: lines for a person at a terminal, and one line where another program may look for it.
  ///
  /// - Parameter width: of the terminal; nil where it goes into a file or another program.
  public static func message(_ text: String, width: Int?) -> String {
    guard let width = width.map({ min($0, messageWidth) }), text.count > width else { return text }
    return wrapped(text, width: width, indent: 2)
  }
}
