/// What was wrong with an executable image, and where in the file.

/// An image that cannot be read. Nothing in it is trusted: every offset and count is checked against the file's size.
public struct ELFError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong.
  public enum Reason: Hashable, Sendable {
    /// The file does not exist, is not readable or is not a regular file.
    case unreadable
    /// The file does not begin with the ELF magic number.
    case notELF
    /// An ELF file of another word size or byte order than this reader knows (64-bit, little-endian).
    case unsupported
    /// Something the file says lies outside the file; the text names it.
    case truncated(String)
    /// A field has a value it cannot have; the text names the field.
    case malformed(String)
  }

  public let path: String
  public let reason: Reason
  /// The file offset, in bytes, of what could not be read or believed.
  public let offset: UInt64

  public var description: String {
    switch reason {
    case .unreadable:
      "\(path): cannot be opened as a regular file. Give the path of the program as it was recorded."
    case .notELF:
      "\(path): not an ELF file. Functions of this image are shown as addresses."
    case .unsupported:
      "\(path): not a 64-bit little-endian ELF file (byte \(offset)). Functions of this image are shown as addresses."
    case .truncated(let what):
      "\(path): \(what) at byte \(offset) lies outside the file. Build the program again: the file is cut short."
    case .malformed(let what):
      "\(path): \(what) at byte \(offset) is not valid. Build the program again: the file is damaged."
    }
  }
}
