import CMainstayTrace

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A recording's bytes, mapped and checked: every region that the header names lies inside the file.
///
/// The file may still be written while it is read, and may be anything at all: nothing in it is trusted beyond what
/// the checks here and the bounds in `Recording` allow.
final class RecordingFile {
  let path: String
  let bytes: UnsafeRawBufferPointer
  let header: mainstay_header

  init(path: String) throws(RecordingError) {
    self.path = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(path: path, reason: "it is not a file") }
    let size = Int(status.st_size)
    // Anything that does not even have the first 8 bytes is no recording; one that has is a cut-off one.
    guard size >= 8 else { throw .notARecording(path: path) }
    guard let mapped = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), mapped != MAP_FAILED else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    bytes = UnsafeRawBufferPointer(start: mapped, count: size)
    do {
      header = try Self.checkedHeader(bytes, path)
    } catch {
      munmap(mapped, size)
      throw error
    }
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

  /// The elements of a region, as many as the file holds.
  func elements<Element: BitwiseCopyable>(_ region: mainstay_region, as type: Element.Type) -> [Element] {
    let start = Int(region.offset)
    let room = (bytes.count - start) / MemoryLayout<Element>.stride
    return (0..<min(Int(region.count), room)).map {
      bytes.loadUnaligned(fromByteOffset: start + $0 * MemoryLayout<Element>.stride, as: type)
    }
  }

  private static func checkedHeader(
    _ bytes: UnsafeRawBufferPointer, _ path: String
  ) throws(RecordingError) -> mainstay_header {
    guard bytes.prefix(8).elementsEqual(MAINSTAY_TRACE_MAGIC.utf8) else { throw .notARecording(path: path) }
    guard bytes.count >= MemoryLayout<mainstay_header>.size else {
      throw .truncated(path: path, bytes: UInt64(bytes.count), needed: UInt64(MemoryLayout<mainstay_header>.size))
    }
    let header = bytes.loadUnaligned(as: mainstay_header.self)
    guard header.version == MAINSTAY_TRACE_VERSION else {
      throw .version(path: path, found: header.version, known: MAINSTAY_TRACE_VERSION)
    }
    guard header.machine == MAINSTAY_TRACE_MACHINE else { throw .machine(path: path, found: header.machine) }
    guard header.state != MAINSTAY_STATE_PREPARING.rawValue else { throw .unfinished(path: path) }
    guard header.frame_nanoseconds > 0, header.budget_nanoseconds > 0 else {
      throw .corrupt(
        path: path, offset: UInt64(MemoryLayout<mainstay_header>.offset(of: \.frame_nanoseconds) ?? 0),
        what: "a frame interval or budget of zero")
    }
    try check(header, MemoryLayout<mainstay_header>.size, bytes.count, path)
    return header
  }

  private static func check(
    _ header: mainstay_header, _ headerBytes: Int, _ size: Int, _ path: String
  ) throws(RecordingError) {
    guard Int(header.header_bytes) == headerBytes else {
      throw .corrupt(path: path, offset: 12, what: "a header of \(header.header_bytes) bytes, not \(headerBytes)")
    }
    let regions: [(String, mainstay_region, Int, UInt32)] = [
      ("threads", header.threads, MemoryLayout<mainstay_thread>.stride, UInt32(MAINSTAY_THREADS)),
      (
        "executor types", header.executor_types, MemoryLayout<mainstay_executor_type>.stride,
        UInt32(MAINSTAY_EXECUTOR_TYPES)
      ),
      ("executors", header.executors, MemoryLayout<mainstay_executor>.stride, UInt32(MAINSTAY_EXECUTORS)),
      ("functions", header.functions, MemoryLayout<mainstay_function>.stride, UInt32(MAINSTAY_FUNCTIONS)),
      ("totals", header.totals, MemoryLayout<mainstay_total>.stride, UInt32(MAINSTAY_FUNCTIONS)),
      ("origins", header.origins, MemoryLayout<mainstay_origin>.stride, UInt32(MAINSTAY_ORIGINS)),
      ("stalls", header.stalls, MemoryLayout<mainstay_stall>.stride, UInt32(MAINSTAY_STALLS)),
      ("samples", header.samples, MemoryLayout<mainstay_sample>.stride, UInt32(MAINSTAY_SAMPLES)),
      ("gaps", header.gaps, MemoryLayout<mainstay_gap>.stride, UInt32(MAINSTAY_GAPS)),
      (
        "starvations", header.starvations, MemoryLayout<mainstay_starvation>.stride, UInt32(MAINSTAY_STARVATIONS)
      ),
      ("modules", header.modules, 1, UInt32(MAINSTAY_MODULE_BYTES)),
      ("blocks", header.blocks, Int(MAINSTAY_BLOCK_BYTES), .max),
    ]
    // Index 0 means "none", and the first two executor types are the pool and the main actor.
    let least: [String: UInt32] = ["executor types": 2, "executors": 1, "functions": 1]
    for (index, (name, region, stride, most)) in regions.enumerated() {
      let offset = UInt64(MemoryLayout<mainstay_header>.offset(of: \.threads) ?? 0) + UInt64(index * 16)
      guard Int(region.stride) == stride, region.count <= most else {
        throw .corrupt(path: path, offset: offset, what: "\(name): \(region.count) entries of \(region.stride) bytes")
      }
      guard region.count >= least[name] ?? 0 else {
        throw .corrupt(path: path, offset: offset, what: "\(name): \(region.count) entries, too few")
      }
      let (end, overflow) = region.offset.addingReportingOverflow(UInt64(region.count) * UInt64(region.stride))
      guard !overflow, region.offset >= UInt64(headerBytes) else {
        throw .corrupt(path: path, offset: offset, what: "\(name) at \(region.offset), outside the file")
      }
      guard end <= UInt64(size) else { throw .truncated(path: path, bytes: UInt64(size), needed: end) }
    }
    // Recordings from before there were boundaries have no table of them.
    let boundaries = header.boundaries
    if boundaries.count > 0 || boundaries.stride > 0 {
      let (end, overflow) = boundaries.offset.addingReportingOverflow(
        UInt64(boundaries.count) * UInt64(boundaries.stride))
      guard Int(boundaries.stride) == MemoryLayout<mainstay_boundary>.stride,
        boundaries.count <= UInt32(MAINSTAY_BOUNDARIES), !overflow, boundaries.offset >= UInt64(headerBytes)
      else {
        throw .corrupt(
          path: path, offset: UInt64(MemoryLayout<mainstay_header>.offset(of: \.boundaries) ?? 0),
          what: "boundaries: \(boundaries.count) entries of \(boundaries.stride) bytes at \(boundaries.offset)")
      }
      guard end <= UInt64(size) else { throw .truncated(path: path, bytes: UInt64(size), needed: end) }
    }
    // Histograms are only there when something was folded; a file without them may end before.
    guard header.histograms.stride == MemoryLayout<mainstay_histogram>.stride,
      header.histograms.count <= UInt32(MAINSTAY_EXECUTOR_TYPES) + 1, header.histograms.offset < UInt64(Int.max / 2)
    else {
      throw .corrupt(
        path: path, offset: UInt64(MemoryLayout<mainstay_header>.offset(of: \.histograms) ?? 0),
        what: "histograms: \(header.histograms.count) of \(header.histograms.stride) bytes")
    }
    if header.folded_records > 0 {
      let end = header.histograms.offset + UInt64(header.histograms.count) * UInt64(header.histograms.stride)
      guard end <= UInt64(size) else { throw .truncated(path: path, bytes: UInt64(size), needed: end) }
    }
  }
}
