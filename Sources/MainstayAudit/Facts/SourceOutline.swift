/// The declarations and closures of one file that can carry isolation, one inside the other, found by their place.
import MainstayFindings

/// A declaration or closure that can carry isolation.
public struct OutlinedDeclaration: Sendable, Hashable {
  public enum Kind: Int, Sendable, Hashable { case function, variable, type, `extension`, closure, `protocol` }

  public var kind: Kind
  public var name: String
  public var attributes: [String]
  public var modifiers: [String]
  public var inherited: [String]
  /// Bytes of the file.
  public var range: Range<Int>
  /// The declaration around this one, by index; -1 at the top.
  public var parent: Int
}

public struct SourceOutline: Sendable, Hashable {
  /// In the order in which they begin, what is around another one before it.
  let declarations: [OutlinedDeclaration]
  /// The byte that each line begins with.
  let lineStarts: [Int]

  init(declarations: [OutlinedDeclaration], lineStarts: [Int]) {
    self.declarations = declarations
    self.lineStarts = lineStarts
  }

  init(_ declarations: [OutlinedDeclaration], of text: String) {
    self.declarations = declarations
    var starts = [0]
    for (offset, byte) in text.utf8.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
    lineStarts = starts
  }

  /// The innermost declaration around a place, then the ones around it: 64 at most.
  func declarations(around location: SourceLocation) -> [OutlinedDeclaration] {
    guard location.line > 0, location.line <= lineStarts.count else { return [] }
    let offset = lineStarts[location.line - 1] + max(location.column - 1, 0)
    // The last one that begins before the place is inside all that are around it.
    var low = 0
    var high = declarations.count
    while low < high {
      let middle = (low + high) / 2
      if declarations[middle].range.lowerBound <= offset { low = middle + 1 } else { high = middle }
    }
    var next = low - 1
    var result: [OutlinedDeclaration] = []
    while next >= 0, result.count < 64 {
      if declarations[next].range.contains(offset) { result.append(declarations[next]) }
      next = declarations[next].parent
    }
    return result
  }
}
