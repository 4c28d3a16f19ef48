/// The declaration on the other side of a boundary: found by file and symbol, and digested without comments and spaces.
import Foundation

public struct ContractTarget: Sendable, Hashable {
  /// As the comment writes it: from the package's directory, or from the file that holds the comment.
  public var file: String
  /// `Type.member(labels:)`, the labels optional.
  public var symbol: String

  public var text: String { "\(file)#\(symbol)" }

  /// What is known of the target now.
  public enum State: Sendable, Hashable {
    case digest(String)
    case missingFile
    /// The symbol of the file that was probably meant.
    case missingSymbol(nearest: String?)
    /// Neither Swift, Kotlin nor C.
    case unknownLanguage
  }

  func state(root: String, beside holder: String) -> State {
    guard let read = ContractTarget.reader(file) else { return .unknownLanguage }
    let folder = String(holder[..<(holder.lastIndex(of: "/") ?? holder.startIndex)])
    let candidates = file.hasPrefix("/") ? [file] : [root + "/" + file, folder + "/" + file]
    guard let text = candidates.lazy.compactMap({ SourceTree.text($0) }).first else { return .missingFile }
    let all: [NamedDeclaration] = read(text)
    let matches = all.filter { isMeant($0.path) }
    if matches.isEmpty {
      let names = Set(all.map(\.path))
      return .missingSymbol(nearest: names.isEmpty ? nil : Suppressions.nearest(symbol, names))
    }
    var hash = ContentHash()
    for match in matches {
      hash.add("declaration")
      for token in match.tokens { hash.add(token) }
    }
    return .digest(String(hash.digest.prefix(16)))
  }

  private func isMeant(_ path: String) -> Bool {
    if path == symbol || path.hasSuffix("." + symbol) { return true }
    guard !symbol.contains("("), let open = path.firstIndex(of: "(") else { return false }
    let bare = path[..<open]
    return bare == symbol || bare.hasSuffix("." + symbol)
  }

  private static func reader(_ file: String) -> ((String) -> [NamedDeclaration])? {
    switch file.split(separator: ".").last.map(String.init) ?? "" {
    case "swift": SwiftDeclarations.read
    case "kt", "kts": KotlinDeclarations.read
    case "c", "h", "cc", "cpp", "hpp", "m", "mm": CDeclarations.read
    default: nil
    }
  }
}
