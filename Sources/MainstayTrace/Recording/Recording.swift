import CMainstayTrace

/// One process's recording: what its tables and blocks say, in the recording's own units.
///
/// Reading costs one pass over the tables; the records are visited on demand. A recording that is still being written
/// can be read: what is read is then true of some moment during the reading.
public final class Recording {
  let file: RecordingFile
  let header: mainstay_header
  let clock: TickClock
  let threads: [mainstay_thread]
  let executorTypes: [ExecutorType]
  let executors: [mainstay_executor]
  let functions: [Function]
  let totals: [mainstay_total]
  let origins: [mainstay_origin]
  /// Each with what ran inside it.
  let stalls: [mainstay_stall]
  let samples: [Sample]
  /// Times in which the whole process did not run, in ticks.
  let gaps: [Range<UInt64>]
  let starvations: [mainstay_starvation]
  let boundaries: [mainstay_boundary]
  public let modules: ModuleMap
  /// The blocks that threads were writing, by index + 1, and how many records each had.
  let writers: [UInt32: UInt32]

  struct ExecutorType {
    let kind: mainstay_executor_kind
    let name: String
    let instances: Int
  }

  struct Function {
    let address: UInt64
    let executorType: Int
    let isBlock: Bool
  }

  /// - Throws: `RecordingError` when the file is no recording of this version, is cut off or is damaged.
  public init(path: String) throws(RecordingError) {
    file = try RecordingFile(path: path)
    header = file.header
    var latest = header.latest
    if header.state == MAINSTAY_STATE_RECORDING.rawValue, latest.nanoseconds <= header.started.nanoseconds {
      // Nobody noted when it ended: it still runs.
      latest = mainstay_clock(ticks: mainstay_ticks(), nanoseconds: monotonicNanoseconds())
    }
    guard let clock = TickClock(header.started, latest) else {
      throw .corrupt(
        path: path, offset: UInt64(MemoryLayout<mainstay_header>.offset(of: \.started) ?? 0),
        what: "the clock does not advance")
    }
    self.clock = clock
    threads = file.elements(header.threads, as: mainstay_thread.self)
    writers = Dictionary(threads.filter { $0.block != 0 }.map { ($0.block, $0.used) }) { first, _ in first }
    executorTypes = file.elements(header.executor_types, as: mainstay_executor_type.self).map { type in
      ExecutorType(
        kind: mainstay_executor_kind(rawValue: type.kind), name: type.ready == 0 ? "" : string(type.name),
        instances: Int(counted: type.instances))
    }
    executors = file.elements(header.executors, as: mainstay_executor.self)
    let types = executorTypes.count
    functions = file.elements(header.functions, as: mainstay_function.self).map { function in
      let type = Int(function.key & 0xffff) - 1
      return Function(
        address: function.address, executorType: (0..<types).contains(type) ? type : 0,
        isBlock: function.key & MAINSTAY_FUNCTION_BLOCK != 0)
    }
    totals = file.elements(header.totals, as: mainstay_total.self)
    origins = file.elements(header.origins, as: mainstay_origin.self)
    let functions = functions
    let open =
      header.state == MAINSTAY_STATE_FINISHED.rawValue
      ? []
      : threads.filter {
        functions.indices.contains(Int($0.function))
          && functions[Int($0.function)].executorType == Int(MAINSTAY_EXECUTOR_MAIN.rawValue)
      }
    stalls = file.elements(header.stalls, as: mainstay_stall.self).filter { $0.start != 0 }.outermost(within: open)
    samples = file.elements(header.samples, as: mainstay_sample.self).compactMap(Sample.init)
    gaps = file.elements(header.gaps, as: mainstay_gap.self).prefix(Int(clamping: header.next_gap))
      .compactMap { $0.start < $0.end ? $0.start..<$0.end : nil }
    starvations = file.elements(header.starvations, as: mainstay_starvation.self)
      .filter { $0.start != 0 && $0.end > $0.start }
    boundaries = file.elements(header.boundaries, as: mainstay_boundary.self).filter { $0.ready != 0 }
    let text = file.bytes[Int(header.modules.offset)..<Int(header.modules.offset) + Int(header.modules.count)]
    modules = ModuleMap(recorded: String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
  }

  public var path: String { file.path }
  public var processIdentifier: Int { Int(header.pid) }
  public var executable: String { string(header.executable) }
  /// The frame interval that the recording was made for.
  public var frameInterval: Duration { .nanoseconds(Int64(clamping: header.frame_nanoseconds)) }
  public var budget: Duration { .nanoseconds(Int64(clamping: header.budget_nanoseconds)) }
  /// False when the process neither exited nor stopped its recording: it runs, crashed, or called `_exit`.
  public var isFinished: Bool { header.state == MAINSTAY_STATE_FINISHED.rawValue }

  /// How many stretches it holds, kept and folded: how busy its process was. Costs one pass over the kept records.
  public var stretches: Int {
    var count = totals.reduce(0) { $0 + Int(clamping: $1.count) }
    forEachRecord { if case .stretch = $0 { count += 1 } }
    return count
  }

  /// How long something ran that began at `start`, without the times in which the whole process stood still.
  func running(from start: UInt64, for length: UInt64) -> UInt64 { running(from: start, to: start &+ length) }

  func running(from start: UInt64, to end: UInt64) -> UInt64 {
    guard end > start else { return 0 }
    let still = gaps.map { $0.clamped(to: start..<end) }.map { $0.upperBound - $0.lowerBound }.reduce(0, &+)
    return end - start - min(still, end - start)
  }

  /// The waits on one type of executor, or the lengths on the main actor, of the records that were folded.
  func foldedHistogram(_ index: Int) -> Histogram? {
    guard header.folded_records > 0, index < Int(header.histograms.count), hasHistogram(index) else { return nil }
    let start = Int(header.histograms.offset) + index * MemoryLayout<mainstay_histogram>.stride
    return Histogram(counts: file.bytes[start..<start + MemoryLayout<mainstay_histogram>.stride])
  }

  /// One without storage is a hole in the file, which a full disk in memory cannot even read.
  private func hasHistogram(_ index: Int) -> Bool {
    let types = file.elements(header.executor_types, as: mainstay_executor_type.self)
    if index < Int(MAINSTAY_EXECUTOR_TYPES) { return types.indices.contains(index) && types[index].histogram == 1 }
    return types.indices.contains(1) && types[1].length_histogram == 1
  }
}

extension ModuleMap {
  /// The recorder's lines: `start-end offset build-id path`, in hexadecimal; `-` for no build ID.
  init(recorded text: String) {
    self.init(
      text.split(separator: "\n").compactMap { line in
        let fields = line.split(separator: " ", maxSplits: 3)
        guard fields.count == 4 else { return nil }
        let range = fields[0].split(separator: "-")
        guard range.count == 2, let start = UInt64(range[0], radix: 16), let end = UInt64(range[1], radix: 16),
          let offset = UInt64(fields[1], radix: 16)
        else { return nil }
        let id = fields[2] == "-" ? nil : String(fields[2])
        return Mapping(start: start, end: end, fileOffset: offset, path: String(fields[3]), buildID: id)
      })
  }
}

/// The text in a C array of characters, up to its zero.
func string<CharacterArray: BitwiseCopyable>(_ characters: CharacterArray) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
