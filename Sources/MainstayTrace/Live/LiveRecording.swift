import CMainstayTrace

/// A recording that its program is still writing, followed in small steps: each reads what is new since the last.
///
/// A step costs a few reads of fixed tables (about 110 KB) and of the records that were published since; it never sums
/// up again what it has. The file is read and not mapped, as its program cuts it off when it exits. One value has one
/// reader.
public struct LiveRecording {
  private let file: OpenFile
  private let functions: MainFunctions
  private var blocks = LiveBlocks()
  private var seen = LiveSum()

  /// Nil when there is no recording at `path` yet, or none that this version can read.
  public init?(path: String) {
    guard let file = OpenFile(path: path), Self.header(of: file) != nil else { return nil }
    self.file = file
    functions = MainFunctions(file)
  }

  /// Reads what is new, and says where the program stands now. Nil when the file can no longer be read.
  public mutating func status() -> LiveStatus? {
    status(at: mainstay_clock(ticks: mainstay_ticks(), nanoseconds: monotonicNanoseconds()))
  }

  mutating func status(at now: mainstay_clock) -> LiveStatus? {
    guard let header = Self.header(of: file), let clock = TickClock(header.started, now) else { return nil }
    functions.region = header.functions
    let threads = file.elements(header.threads, as: mainstay_thread.self)
    let functions = functions
    var sum = seen
    let isComplete = blocks.advance(file, header, threads) { sum.add($0, functions) }
    // Written over before they were read: what those records add up to is in the totals.
    seen = isComplete ? sum : fromTotals(header, threads, worst: sum.worst)
    return LiveStatus(MainActorNow(header, file, threads, functions, now.ticks), seen, clock, header, now.ticks)
  }

  private mutating func fromTotals(
    _ header: mainstay_header, _ threads: [mainstay_thread], worst: UInt64
  ) -> LiveSum {
    let functions = functions
    var sum = LiveSum(worst: worst)
    for (index, total) in file.elements(header.totals, as: mainstay_total.self).enumerated()
    where total.count > 0 && functions.contains(UInt16(truncatingIfNeeded: index)) {
      sum.busy &+= total.ticks
      sum.worst = max(sum.worst, total.worst)
    }
    blocks = LiveBlocks()
    _ = blocks.advance(file, header, threads) { sum.add($0, functions) }
    return sum
  }

  /// The header, when every table that is read here has at most the entries that the format allows.
  private static func header(of file: OpenFile) -> mainstay_header? {
    guard let header = file.elements(at: 0, count: 1, as: mainstay_header.self).first,
      withUnsafeBytes(of: header.magic, { $0.elementsEqual(MAINSTAY_TRACE_MAGIC.utf8) }),
      header.version == MAINSTAY_TRACE_VERSION, header.machine == MAINSTAY_TRACE_MACHINE,
      Int(header.header_bytes) == MemoryLayout<mainstay_header>.size,
      header.state != MAINSTAY_STATE_PREPARING.rawValue, header.frame_nanoseconds > 0,
      header.threads.count <= UInt32(MAINSTAY_THREADS), header.stalls.count <= UInt32(MAINSTAY_STALLS),
      header.functions.count <= UInt32(MAINSTAY_FUNCTIONS), header.totals.count <= UInt32(MAINSTAY_FUNCTIONS),
      header.gaps.count <= UInt32(MAINSTAY_GAPS)
    else { return nil }
    return header
  }
}

/// What the records so far add up to on the main actor, in ticks.
struct LiveSum {
  var busy: UInt64 = 0
  var worst: UInt64 = 0

  /// Adds records as they lie in a block. A busy program has millions of them a second, few of them of the main actor:
  /// the others are passed over by three of their bytes.
  mutating func add(_ records: UnsafeRawBufferPointer, _ functions: MainFunctions) {
    for at in stride(from: 0, through: records.count - 24, by: 24) {
      let kind = UInt32(records[at] & 15)
      guard kind >= MAINSTAY_KIND_JOB.rawValue, kind <= MAINSTAY_KIND_BLOCK.rawValue else { continue }
      let function = records.loadUnaligned(fromByteOffset: at + 2, as: UInt16.self)
      guard functions.contains(function) else { continue }
      let length = mainstay_span_ticks(records.loadUnaligned(fromByteOffset: at, as: mainstay_record.self).length)
      busy &+= length
      worst = max(worst, length)
    }
  }
}

/// Which of the recorded functions run on the main actor. A number is looked up once it is met.
final class MainFunctions {
  var region = mainstay_region()
  private let file: OpenFile
  /// 0: not yet known, 1: on the main actor, 2: elsewhere.
  private let isMain = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)

  init(_ file: OpenFile) {
    self.file = file
    isMain.initialize(repeating: 0)
  }

  deinit { isMain.deallocate() }

  @inline(__always)
  func contains(_ function: UInt16) -> Bool {
    let known = isMain[Int(function)]
    return known != 0 ? known == 1 : lookUp(Int(function))
  }

  @inline(never)
  private func lookUp(_ index: Int) -> Bool {
    guard index < Int(region.count) else { return false }
    let offset = region.offset &+ UInt64(index * MemoryLayout<mainstay_function>.stride)
    guard let function = file.elements(at: offset, count: 1, as: mainstay_function.self).first, function.key != 0
    else { return false }
    isMain[index] = function.key & 0xffff == MAINSTAY_EXECUTOR_MAIN.rawValue + 1 ? 1 : 2
    return isMain[index] == 1
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
