import CMainstayTrace

/// A stretch that one thread ran without a suspension, as recorded.
struct Stretch {
  var start: UInt64
  var length: UInt64
  /// Ticks from enqueue to start; nil when the enqueue was not seen.
  var wait: UInt64?
  var task: UInt64
  var function: Int
  var executor: Int
  var kind: mainstay_kind
  var end: mainstay_end
  var priority: UInt8
  var thread: UInt32
}

/// Something that happened to a task.
struct TaskEvent {
  var time: UInt64
  var task: UInt64
  var kind: mainstay_kind
  /// Where the task was created; of a suspension the function that it resumes in.
  var origin: Int
  var priority: UInt8
  /// Of the creation of a task that inherits its creator's context the executor that it was created on; otherwise 0.
  var executor: Int
  /// Of a creation the task that created it, 0 when none did; of a suspension the address of the function that waits.
  var value: UInt64
}

/// Reads the records of one block, in the order they were written.
struct BlockReader {
  private let records: UnsafeRawBufferPointer
  private let header: mainstay_block
  private let functions: Int
  private let executors: Int
  private var index: Int
  private var whole: UInt64?

  init(_ block: UnsafeRawBufferPointer, header: mainstay_block, used: UInt32, functions: Int, executors: Int) {
    let used = Int(min(used, UInt32(MAINSTAY_RECORDS_PER_BLOCK)))
    let start = MemoryLayout<mainstay_block>.size
    records = UnsafeRawBufferPointer(rebasing: block[start..<start + used * 24])
    self.header = header
    self.functions = functions
    self.executors = executors
    // Those before are in the totals already.
    index = header.state == MAINSTAY_BLOCK_FOLDING.rawValue ? Int(min(header.folded, UInt32(used))) : 0
  }

  enum Record {
    case stretch(Stretch)
    case event(TaskEvent)
  }

  mutating func next() -> Record? {
    while index < records.count / 24 {
      let record = records.loadUnaligned(fromByteOffset: index * 24, as: mainstay_record.self)
      index += 1
      let kind = mainstay_kind(rawValue: UInt32(record.kind_end & 15))
      let task = whole ?? UInt64(header.task_high) << 32 | UInt64(record.task)
      whole = nil
      let time = header.base &+ record.start_executor >> 16
      switch kind {
      case MAINSTAY_KIND_JOB, MAINSTAY_KIND_INLINE, MAINSTAY_KIND_BLOCK:
        return .stretch(
          Stretch(
            start: time, length: mainstay_span_ticks(record.length),
            wait: record.wait == MAINSTAY_SPAN_UNKNOWN ? nil : mainstay_span_ticks(record.wait), task: task,
            function: Int(record.function) < functions ? Int(record.function) : 0,
            executor: Int(record.start_executor & 0xffff) < executors ? Int(record.start_executor & 0xffff) : 0,
            kind: kind, end: mainstay_end(rawValue: UInt32(record.kind_end >> 4)), priority: record.priority,
            thread: header.tid))
      case MAINSTAY_KIND_CREATED, MAINSTAY_KIND_CANCELLED, MAINSTAY_KIND_RESUMED, MAINSTAY_KIND_SUSPENDED:
        return .event(
          TaskEvent(
            time: time, task: task, kind: kind, origin: Int(record.function), priority: record.priority,
            executor: Int(record.start_executor & 0xffff) < executors ? Int(record.start_executor & 0xffff) : 0,
            value: UInt64(record.length) | UInt64(record.wait) << 32))
      case MAINSTAY_KIND_TASK:
        whole = UInt64(record.length) | UInt64(record.wait) << 32
      default:
        break  // of a later recorder: nothing this reader knows
      }
    }
    return nil
  }
}

extension Recording {
  /// Visits every record that is kept, block by block.
  func forEachRecord(_ body: (BlockReader.Record) -> Void) {
    for block in 0..<Int(header.blocks.count) {
      guard var reader = reader(ofBlock: block) else { continue }
      while let record = reader.next() { body(record) }
    }
  }

  /// What threads ran when the recording ended, or run now: in the file, but in no record yet.
  var openStretches: [Stretch] {
    threads.compactMap { thread in
      guard thread.tid != 0, thread.start != 0, thread.start < header.latest.ticks else { return nil }
      return Stretch(
        start: thread.start, length: header.latest.ticks - thread.start, wait: thread.wait == .max ? nil : thread.wait,
        task: thread.task, function: Int(thread.function) < functions.count ? Int(thread.function) : 0,
        executor: Int(thread.executor) < executors.count ? Int(thread.executor) : 0,
        kind: mainstay_kind(rawValue: UInt32(thread.kind)), end: MAINSTAY_END_UNKNOWN, priority: thread.priority,
        thread: thread.tid)
    }
  }

  func reader(ofBlock block: Int) -> BlockReader? {
    let start = Int(header.blocks.offset) + block * Int(MAINSTAY_BLOCK_BYTES)
    guard start + Int(MAINSTAY_BLOCK_BYTES) <= file.bytes.count else { return nil }
    let bytes = UnsafeRawBufferPointer(rebasing: file.bytes[start..<start + Int(MAINSTAY_BLOCK_BYTES)])
    let header = bytes.loadUnaligned(as: mainstay_block.self)
    let used = used(block, header)
    guard used > 0 else { return nil }
    return BlockReader(bytes, header: header, used: used, functions: functions.count, executors: executors.count)
  }

  /// How many records a block has: its thread knows while it writes it.
  private func used(_ block: Int, _ header: mainstay_block) -> UInt32 {
    switch header.state {
    case MAINSTAY_BLOCK_FREE.rawValue: 0
    case MAINSTAY_BLOCK_ACTIVE.rawValue: writers[UInt32(truncatingIfNeeded: block + 1)] ?? 0
    default: header.used
    }
  }
}
