/// A place in source: a file with a one-based line and column (0 where the compiler gives none).
public struct SourceLocation: Sendable, Hashable, Codable, Comparable {
  public var file: String
  public var line: Int
  public var column: Int

  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
    (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }
}
