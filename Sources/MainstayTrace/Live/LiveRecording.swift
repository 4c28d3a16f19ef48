import CMainstayTrace

/// A recording that its program is still writing, as often as somebody wants to know where the program stands.
///
/// A look costs a few reads of fixed tables (about 100 KB) whatever the program does: each thread adds up in its slot what
/// it ran on the main actor, so no records are read. The file is read and not mapped, as its program cuts it off when it
/// exits.
public struct LiveRecording {
  private let file: OpenFile

  /// Nil when there is no recording at `path` yet, or none that this version can read.
  public init?(path: String) {
    guard let file = OpenFile(path: path), Self.header(of: file) != nil else { return nil }
    self.file = file
  }

  /// Where the program stands now. Nil when the file can no longer be read.
  public func status() -> LiveStatus? {
    status(at: mainstay_clock(ticks: mainstay_ticks(), nanoseconds: monotonicNanoseconds()))
  }

  func status(at now: mainstay_clock) -> LiveStatus? {
    guard let header = Self.header(of: file), let clock = TickClock(header.started, now) else { return nil }
    return LiveStatus(MainActorNow(header, file, now.ticks), clock, header, now.ticks)
  }

  /// The header, when every table that is read here has at most the entries that the format allows.
  private static func header(of file: OpenFile) -> mainstay_header? {
    guard let header = file.elements(at: 0, count: 1, as: mainstay_header.self).first,
      withUnsafeBytes(of: header.magic, { $0.elementsEqual(MAINSTAY_TRACE_MAGIC.utf8) }),
      header.version == MAINSTAY_TRACE_VERSION, header.machine == MAINSTAY_TRACE_MACHINE,
      Int(header.header_bytes) == MemoryLayout<mainstay_header>.size,
      header.state != MAINSTAY_STATE_PREPARING.rawValue, header.frame_nanoseconds > 0,
      header.threads.count <= UInt32(MAINSTAY_THREADS), header.stalls.count <= UInt32(MAINSTAY_STALLS),
      header.functions.count <= UInt32(MAINSTAY_FUNCTIONS), header.gaps.count <= UInt32(MAINSTAY_GAPS)
    else { return nil }
    return header
  }
}

extension OpenFile {
  /// The elements of a region; none when the file does not hold all of them.
  func elements<Element: BitwiseCopyable>(_ region: mainstay_region, as type: Element.Type) -> [Element] {
    guard Int(region.stride) == MemoryLayout<Element>.stride else { return [] }
    return elements(at: region.offset, count: Int(region.count), as: type)
  }

  func elements<Element: BitwiseCopyable>(at offset: UInt64, count: Int, as type: Element.Type) -> [Element] {
    guard offset <= UInt64(Int64.max), count > 0,
      let bytes = read(at: Int64(offset), count: count * MemoryLayout<Element>.stride)
    else { return [] }
    return bytes.withUnsafeBytes { raw in
      (0..<count).map { raw.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Element>.stride, as: type) }
    }
  }
}
