/// A contract that a comment pins: `// mainstay:contract <file>#<symbol> <digest>`.
import Foundation
import MainstayFindings

public struct Contract: Sendable, Hashable {
  public enum Standing: Sendable, Hashable {
    case holds
    /// No digest was written yet.
    case unpinned
    case changed
    case broken(String)
  }

  public var location: SourceLocation
  public var target: ContractTarget
  /// The digest in the comment; nil before it was pinned.
  public var pinned: String?
  public var state: ContractTarget.State

  public var current: String? {
    if case .digest(let digest) = state { return digest }
    return nil
  }

  public var standing: Standing {
    switch state {
    case .missingFile:
      return .broken(
        "there is no file '\(target.file)' in the package's directory or beside this one; "
          + "where it was moved, write where it is now")
    case .unreadableFile: return .broken("'\(target.file)' is there, and cannot be read as text")
    case .missingSymbol(let hint): return .broken("'\(target.file)' declares no '\(target.symbol)'; \(hint)")
    case .incomplete: return .broken("it names no declaration: write mainstay:contract <file>#<symbol>")
    case .unknownLanguage: return .broken("'\(target.file)' is neither Swift, Kotlin nor C")
    case .digest(let digest):
      guard let pinned else { return .unpinned }
      return digest == pinned ? .holds : .changed
    }
  }
}

public enum Contracts {
  static let marker = "mainstay:contract"

  /// The contracts in a package's own sources, in the order of files and lines.
  ///
  /// - Throws: `AuditFailure` when there is no such directory. What was not read in it is said by `unread`.
  public static func list(in path: String) throws -> [Contract] {
    try PackageModules.requireDirectory(path)
    let package = PackageModules(path: path)
    return read(package.looseSources(), root: package.root)
  }

  /// What of a package's own sources was not read, a sentence each: there may be contracts in it.
  public static func unread(in path: String) -> [String] {
    let package = PackageModules(path: path)
    let closed = package.looseSources().filter { access($0, R_OK) != 0 }
    return (package.unread() + closed.map { PackageModules.Unread(path: $0, reason: "may not be read") }).map {
      unread in
      let inner = unread.path.dropFirst(package.root.count + 1)
      let place = inner.isEmpty ? path : AuditResult.folder(of: package.root) + inner
      return "\(place) \(unread.reason): what contracts are in it is not known"
    }
  }

  /// The directory that places are spelled from.
  public static func root(of path: String) -> String { PackageModules(path: path).root }

  static func read(_ files: [String], root: String) -> [Contract] {
    let width = ProcessInfo.processInfo.activeProcessorCount
    return ConcurrentMap.lists(of: files.sorted(), width: width) { file in
      FileManager.default.contents(atPath: file).map { read($0, file: file, root: root) } ?? []
    }
  }

  static func read(_ data: Data, file: String, root: String) -> [Contract] {
    let isMarked = data.withUnsafeBytes { SILText($0).find("mainstay:contract", in: 0..<$0.count) != nil }
    guard isMarked else { return [] }
    var found: [Contract] = []
    for comment in SourceComments(String(decoding: data, as: UTF8.self)).all {
      guard let text = text(of: comment) else { continue }
      let words = text.split(separator: " ")
      let parts = (words.first ?? "").split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target = ContractTarget(
        file: parts.first.map(String.init) ?? "", symbol: parts.count > 1 ? String(parts[1]) : "")
      found.append(
        Contract(
          location: SourceLocation(file: file, line: comment.line, column: comment.column), target: target,
          pinned: words.dropFirst().first.map(String.init).flatMap { isDigest($0) ? $0 : nil },
          state: target.state(root: root, beside: file)))
    }
    return found
  }

  /// What follows the target may also be another comment. A digest that was damaged is one still: what it pins is unknown,
  /// and so not what it was.
  private static func isDigest(_ word: String) -> Bool {
    if word.allSatisfy(\.isHexDigit) { return word.count >= 8 || word.count >= 4 && word.contains(where: \.isNumber) }
    return word.count == digits && word.contains(where: \.isNumber) && word.allSatisfy { $0.isLetter || $0.isNumber }
  }

  /// How long a digest is.
  static let digits = 16

  /// What follows the marker that a comment begins with.
  private static func text(of comment: SourceComment) -> Substring? {
    guard comment.text.hasPrefix(marker) else { return nil }
    let rest = comment.text.dropFirst(marker.count)
    return rest.isEmpty || rest.first == " " || rest.first == "\t" ? rest.drop { $0 == " " || $0 == "\t" } : nil
  }

  /// Writes the current digest of contracts into their comments.
  ///
  /// - Returns: those that were written.
  /// - Throws: `AuditFailure` when a file cannot be read or written.
  @discardableResult
  public static func pin(_ contracts: [Contract]) throws -> [Contract] {
    var written: [Contract] = []
    for (file, group) in Dictionary(grouping: contracts, by: \.location.file).sorted(by: { $0.key < $1.key }) {
      guard let data = FileManager.default.contents(atPath: file), let text = String(validating: data, as: UTF8.self)
      else {
        throw AuditFailure(
          kind: .usage, message: "'\(file)' cannot be read, or is not all UTF-8, so nothing was written into it",
          advice: "mend the file, or write the digest into the comment by hand; 'mainstay contract list' says where")
      }
      var lines = SourceLines.split(text).map(String.init)
      // From the end of each line: what is written moves no other's column.
      for contract in group.sorted(by: { $0.location > $1.location }) {
        guard let digest = contract.current, lines.indices.contains(contract.location.line - 1) else { continue }
        let line = lines[contract.location.line - 1]
        guard let start = line.index(line.startIndex, offsetBy: contract.location.column - 1, limitedBy: line.endIndex),
          let range = line[start...].range(of: contract.target.text)
        else { continue }
        var rest = line[range.upperBound...]
        if let pinned = contract.pinned, let old = rest.range(of: pinned) { rest = rest[old.upperBound...] }
        lines[contract.location.line - 1] = line[..<range.upperBound] + " " + digest + rest
        written.append(contract)
      }
      guard (try? WrittenFile.write(lines.joined(separator: "\n"), to: file)) != nil else {
        throw AuditFailure(
          kind: .usage, message: "'\(file)' may not be written, so its contracts are not pinned",
          advice: "give yourself the right to write it: chmod u+w '\(file)'")
      }
    }
    return written.sorted { $0.location < $1.location }
  }
}
