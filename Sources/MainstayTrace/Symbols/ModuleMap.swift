/// Which file each part of a process's memory came from: the first step from an address to a name.

/// The images mapped into one process, with the address ranges they occupied.
public struct ModuleMap: Hashable, Sendable {
  /// One mapped stretch of a file.
  public struct Mapping: Hashable, Sendable {
    public let start: UInt64
    /// One past the last address.
    public let end: UInt64
    /// Where `start` is in the file, in bytes.
    public let fileOffset: UInt64
    public let path: String
    /// The build ID seen in memory when the mapping was noted, as hexadecimal digits; nil when nobody looked.
    public let buildID: String?

    public init(start: UInt64, end: UInt64, fileOffset: UInt64, path: String, buildID: String? = nil) {
      self.start = start
      self.end = end
      self.fileOffset = fileOffset
      self.path = path
      self.buildID = buildID
    }
  }

  /// A place in an image.
  public struct Location: Hashable, Sendable {
    public let path: String
    public let fileOffset: UInt64
    public let buildID: String?
  }

  /// In order of address.
  public let mappings: [Mapping]

  /// - Parameter mappings: in any order; empty or inverted ranges are dropped. Where two overlap, the one that starts
  ///   later wins, as it does in a process that maps over an old image.
  public init(_ mappings: [Mapping]) {
    self.mappings = mappings.filter { $0.start < $0.end }
      .sorted { ($0.start, $0.end, $0.fileOffset, $0.path) < ($1.start, $1.end, $1.fileOffset, $1.path) }
  }

  /// Reads the text of `/proc/PID/maps`. Lines that are not file mappings, or not lines of that file, are skipped.
  public init(procMaps text: String) {
    self.init(text.split(separator: "\n").compactMap { Self.mapping(line: $0) })
  }

  /// The file and offset behind an address of the process, or nil when no image was there. O(log n).
  public func location(of address: UInt64) -> Location? {
    var low = 0
    var high = mappings.count
    while low < high {
      let middle = (low + high) / 2
      if mappings[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let mapping = mappings[low - 1]
    guard address < mapping.end else { return nil }
    let (offset, overflow) = mapping.fileOffset.addingReportingOverflow(address - mapping.start)
    return overflow ? nil : Location(path: mapping.path, fileOffset: offset, buildID: mapping.buildID)
  }

  /// `start-end perms offset device inode path`, where the path may hold spaces, and octal escapes for newlines.
  private static func mapping(line: Substring) -> Mapping? {
    let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
    guard fields.count == 6 else { return nil }
    let range = fields[0].split(separator: "-")
    var path = fields[5].drop { $0 == " " }
    if path.hasSuffix(" (deleted)") { path = path.dropLast(10) }
    guard range.count == 2, let start = UInt64(range[0], radix: 16), let end = UInt64(range[1], radix: 16),
      let offset = UInt64(fields[2], radix: 16), path.hasPrefix("/")
    else { return nil }
    return Mapping(start: start, end: end, fileOffset: offset, path: unescaped(path))
  }

  private static func unescaped(_ path: Substring) -> String {
    guard path.contains("\\") else { return String(path) }
    var bytes: [UInt8] = []
    var rest = Array(path.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
