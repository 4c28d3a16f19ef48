import CMainstayTrace
import Foundation

/// Writes a recording from the structs of the C header, with tables just large enough. Two ticks are a nanosecond.
struct RecordingWriter {
  var header = mainstay_header()
  var threads: [mainstay_thread] = []
  var types: [mainstay_executor_type] = []
  var executors = [mainstay_executor()]
  var functions = [mainstay_function()]
  var totals: [mainstay_total] = []
  var origins = [mainstay_origin()]
  var stalls: [mainstay_stall] = []
  var samples: [mainstay_sample] = []
  var gaps: [mainstay_gap] = []
  var starvations: [mainstay_starvation] = []
  var boundaries: [mainstay_boundary] = []
  var modules = ""
  var blocks: [(header: mainstay_block, records: [mainstay_record])] = []
  var histograms: [mainstay_histogram] = []

  static let start: UInt64 = 1_000_000

  init() {
    withUnsafeMutableBytes(of: &header.magic) { $0.copyBytes(from: MAINSTAY_TRACE_MAGIC.utf8) }
    header.version = UInt32(MAINSTAY_TRACE_VERSION)
    header.header_bytes = UInt32(MemoryLayout<mainstay_header>.size)
    header.machine = UInt32(MAINSTAY_TRACE_MACHINE)
    header.state = MAINSTAY_STATE_FINISHED.rawValue
    header.capabilities = MAINSTAY_CAN_SEE_ALL.rawValue
    header.pid = 4711
    header.frame_nanoseconds = 16_666_667
    header.budget_nanoseconds = 16_666_667
    header.started = mainstay_clock(ticks: Self.start, nanoseconds: 5_000_000)
    header.latest = mainstay_clock(ticks: Self.start + 20_000_000_000, nanoseconds: 10_005_000_000)
    addType("pool", MAINSTAY_EXECUTOR_POOL)
    addType("MainActor", MAINSTAY_EXECUTOR_MAIN)
  }

  static func ticks(milliseconds: Double) -> UInt64 { UInt64(milliseconds * 2_000_000) }

  @discardableResult
  mutating func addType(_ name: String, _ kind: mainstay_executor_kind, instances: UInt64 = 1) -> Int {
    var type = mainstay_executor_type()
    type.kind = kind.rawValue
    type.ready = 1
    type.instances = instances
    withUnsafeMutableBytes(of: &type.name) { $0.copyBytes(from: name.utf8.prefix(95)) }
    types.append(type)
    return types.count - 1
  }

  mutating func addFunction(_ address: UInt64, type: Int, isBlock: Bool = false) -> UInt16 {
    let key = UInt32(type + 1) | (isBlock ? UInt32(MAINSTAY_FUNCTION_BLOCK) : 0)
    functions.append(mainstay_function(address: address, key: key, ready: 1))
    return UInt16(functions.count - 1)
  }

  mutating func addBlock(
    _ records: [mainstay_record], thread: UInt32 = 1, taskHigh: UInt32 = 0, sequence: UInt64? = nil,
    state: mainstay_block_state = MAINSTAY_BLOCK_FULL, folded: UInt32 = 0
  ) {
    var block = mainstay_block()
    block.sequence = sequence ?? UInt64(blocks.count)
    block.base = Self.start
    block.state = state.rawValue
    block.used = UInt32(records.count)
    block.folded = folded
    block.tid = thread
    block.task_high = taskHigh
    blocks.append((block, records))
  }

  /// A stretch; times in ticks since the start.
  static func stretch(
    _ kind: mainstay_kind = MAINSTAY_KIND_JOB, end: mainstay_end = MAINSTAY_END_HOP, function: UInt16, task: UInt32 = 1,
    at time: UInt64, length: UInt64, wait: UInt64? = nil, executor: UInt16 = 0, priority: UInt8 = 0x15
  ) -> mainstay_record {
    mainstay_record(
      kind_end: UInt8(kind.rawValue | end.rawValue << 4), priority: priority, function: function, task: task,
      start_executor: time << 16 | UInt64(executor), length: mainstay_span(length),
      wait: wait.map(mainstay_span) ?? MAINSTAY_SPAN_UNKNOWN)
  }

  static func event(
    _ kind: mainstay_kind, task: UInt32, at time: UInt64 = 0, origin: UInt16 = 0, priority: UInt8 = 0, value: UInt64 = 0
  ) -> mainstay_record {
    let event = mainstay_event(
      kind_end: UInt8(kind.rawValue), priority: priority, origin: origin, task: task, start_executor: time << 16,
      value: value)
    return unsafeBitCast(event, to: mainstay_record.self)
  }

  /// The bytes of the file.
  func bytes() -> Data {
    var header = header
    var data = Data(count: MemoryLayout<mainstay_header>.size)
    func append<Element: BitwiseCopyable>(_ elements: [Element], _ region: inout mainstay_region) {
      while data.count % 64 != 0 { data.append(0) }
      region = mainstay_region(
        offset: UInt64(data.count), count: UInt32(elements.count), stride: UInt32(MemoryLayout<Element>.stride))
      elements.withUnsafeBytes { data.append(contentsOf: $0) }
    }
    append(threads, &header.threads)
    append(types, &header.executor_types)
    append(executors, &header.executors)
    append(functions, &header.functions)
    append(totals, &header.totals)
    append(origins, &header.origins)
    append(stalls, &header.stalls)
    append(samples, &header.samples)
    append(gaps, &header.gaps)
    append(starvations, &header.starvations)
    if !boundaries.isEmpty { append(boundaries, &header.boundaries) }
    append(Array(modules.utf8), &header.modules)
    let images = blocks.map { block, records in
      var image = Data(count: Int(MAINSTAY_BLOCK_BYTES))
      withUnsafeBytes(of: block) { image.replaceSubrange(0..<$0.count, with: $0) }
      records.withUnsafeBytes { image.replaceSubrange(64..<64 + $0.count, with: $0) }
      return image
    }
    append([UInt8](), &header.blocks)
    header.blocks.count = UInt32(images.count)
    header.blocks.stride = UInt32(MAINSTAY_BLOCK_BYTES)
    for image in images { data.append(image) }
    append([UInt8](), &header.histograms)
    header.histograms.count = UInt32(histograms.count)
    header.histograms.stride = UInt32(MemoryLayout<mainstay_histogram>.stride)
    for histogram in histograms { withUnsafeBytes(of: histogram) { data.append(contentsOf: $0) } }
    header.file_bytes = UInt64(data.count)
    withUnsafeBytes(of: header) { data.replaceSubrange(0..<$0.count, with: $0) }
    return data
  }

  func write() throws -> TemporaryFile { try TemporaryFile(bytes()) }
}

/// A file that goes away with its last user.
final class TemporaryFile {
  let path = FileManager.default.temporaryDirectory.appending(path: "mainstay-test-\(UUID().uuidString)").path

  init(_ bytes: Data) throws { try bytes.write(to: URL(filePath: path)) }
  deinit { unlink(path) }
}
