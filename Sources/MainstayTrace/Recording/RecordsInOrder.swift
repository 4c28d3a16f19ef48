import CMainstayTrace

extension Recording {
  /// Visits every record that is kept in the order in which the stretches ended and the events happened, across threads.
  ///
  /// A thread's records are in order in its blocks, so this is a merge of threads: O(n log t) for t threads.
  func forEachRecordInOrder(_ body: (BlockReader.Record) -> Void) {
    var blocks: [UInt32: [(sequence: UInt64, block: Int)]] = [:]
    for block in 0..<Int(header.blocks.count) {
      let start = Int(header.blocks.offset) + block * Int(MAINSTAY_BLOCK_BYTES)
      guard start + Int(MAINSTAY_BLOCK_BYTES) <= file.bytes.count else { break }
      let header = file.bytes.loadUnaligned(fromByteOffset: start, as: mainstay_block.self)
      guard reader(ofBlock: block) != nil else { continue }
      blocks[header.tid, default: []].append((header.sequence, block))
    }
    var heap = blocks.sorted { $0.key < $1.key }
      .map { ThreadRecords(recording: self, blocks: $0.value.sorted { $0.sequence < $1.sequence }.map(\.block)) }
      .filter { $0.time != nil }
    heap.sort { ($0.time ?? 0) < ($1.time ?? 0) }
    while !heap.isEmpty {
      if let record = heap[0].record { body(record) }
      heap[0].advance()
      if heap[0].time == nil {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
      }
      sink(&heap)
    }
  }

  /// Restores the order of a heap of which only the first element is out of place.
  private func sink(_ heap: inout [ThreadRecords]) {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].key < heap[least].key {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}

/// The records of one thread, one after the other.
private struct ThreadRecords {
  private let recording: Recording
  private var blocks: ArraySlice<Int>
  private var reader: BlockReader?
  private(set) var record: BlockReader.Record?
  private(set) var time: UInt64?
  var key: UInt64 { time ?? .max }

  init(recording: Recording, blocks: [Int]) {
    self.recording = recording
    self.blocks = blocks[...]
    advance()
  }

  mutating func advance() {
    while true {
      if let next = reader?.next() {
        record = next
        switch next {
        case .stretch(let stretch): time = stretch.start &+ stretch.length
        case .event(let event): time = event.time
        }
        return
      }
      guard let block = blocks.popFirst() else {
        record = nil
        time = nil
        return
      }
      reader = recording.reader(ofBlock: block)
    }
  }
}
