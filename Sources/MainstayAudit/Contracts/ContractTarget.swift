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
    /// It is there, and may not be read, is no text, or is too large for one.
    case unreadableFile
    /// Which symbol of the file was probably meant, or what there is.
    case missingSymbol(hint: String)
    /// The comment does not name a file and a symbol.
    case incomplete
    /// Neither Swift, Kotlin nor C.
    case unknownLanguage
  }

  func state(root: String, beside holder: String) -> State {
    guard !file.isEmpty, !symbol.isEmpty else { return .incomplete }
    guard let read = ContractTarget.reader(file) else { return .unknownLanguage }
    let folder = String(holder[..<(holder.lastIndex(of: "/") ?? holder.startIndex)])
    let bases = [root, folder] + (ContractTarget.package(around: folder).map { [$0] } ?? [])
    let candidates = file.hasPrefix("/") ? [file] : bases.map { $0 + "/" + file }
    guard let text = candidates.lazy.compactMap({ SourceTree.text($0) }).first else {
      return candidates.contains { FileManager.default.fileExists(atPath: $0) } ? .unreadableFile : .missingFile
    }
    let all: [NamedDeclaration] = read(text)
    let matches = all.filter { isMeant($0.path) }
    if matches.isEmpty {
      return .missingSymbol(hint: hint(Set(all.map(\.path))))
    }
    var hash = ContentHash()
    for match in matches {
      hash.add("declaration")
      for token in match.tokens { hash.add(token) }
    }
    return .digest(String(hash.digest.prefix(Contracts.digits)))
  }

  private func hint(_ names: Set<String>) -> String {
    if names.isEmpty { return "it declares nothing that is understood" }
    if let nearest = Spelling.nearest(symbol, among: names) { return "did you mean '\(nearest)'?" }
    let shown = names.sorted().prefix(6).joined(separator: ", ")
    return "it has \(shown)" + (names.count > 6 ? " and \(names.count - 6) more" : "")
  }

  /// The directory of the package that a folder is in: one may lie inside another's.
  private static func package(around folder: String) -> String? {
    var at = folder
    while !at.isEmpty {
      if FileManager.default.fileExists(atPath: at + "/Package.swift") { return at }
      at = String(at[..<(at.lastIndex(of: "/") ?? at.startIndex)])
    }
    return nil
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
