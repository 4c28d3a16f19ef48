import CMainstayTrace

/// The blocks of a recording that is being written, and how far each was read.
///
/// The header counts the blocks handed out, and a thread's slot says which it writes: so what is new is found without
/// looking at the thousands of blocks that are full and read.
struct LiveBlocks {
  /// Handed out before this sequence number: read, or in `open`.
  private var next: UInt64 = 0
  /// Blocks that may get more records, by index.
  private var open: [Int: Cursor] = [:]
  /// The sequence number under which a block was last read to its end.
  private var done: [Int: UInt64] = [:]

  private struct Cursor {
    var sequence: UInt64?
    var read = 0
    /// How often it was found with nothing new in it: handed out, and not taken.
    var misses = 0
  }

  /// Visits every record that was published since the last time, block by block.
  ///
  /// - Returns: false when blocks were used again before they were read.
  mutating func advance(
    _ file: OpenFile, _ header: mainstay_header, _ threads: [mainstay_thread], visit: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    let used = Dictionary(threads.filter { $0.block != 0 }.map { (Int($0.block) - 1, $0.used) }) { first, _ in first }
    var isComplete = note(header, most: file.size / UInt64(MAINSTAY_BLOCK_BYTES))
    for index in used.keys where open[index] == nil && index < Int(header.blocks.count) { open[index] = Cursor() }
    for index in open.keys.sorted() {
      guard var cursor = open[index] else { continue }
      let start = header.blocks.offset &+ UInt64(index) * UInt64(MAINSTAY_BLOCK_BYTES)
      guard let block = file.elements(at: start, count: 1, as: mainstay_block.self).first else {
        open[index] = nil
        continue
      }
      let isActive = block.state == MAINSTAY_BLOCK_ACTIVE.rawValue
      let isFull = block.state == MAINSTAY_BLOCK_FULL.rawValue
      if !isActive && !isFull || done[index] == block.sequence {
        // Its thread is about to take it, or has passed it over.
        cursor.misses += 1
        open[index] = cursor.misses < 3 ? cursor : nil
        continue
      }
      if let sequence = cursor.sequence, sequence != block.sequence {
        isComplete = false  // used again: what it still had is only in the totals
        cursor = Cursor()
      }
      cursor.sequence = block.sequence
      let count = Int(min(isFull ? block.used : used[index] ?? 0, UInt32(MAINSTAY_RECORDS_PER_BLOCK)))
      if count > cursor.read {
        let first = start &+ UInt64(MemoryLayout<mainstay_block>.size + cursor.read * 24)
        if first <= UInt64(Int64.max) {
          file.read(at: Int64(first), count: (count - cursor.read) * 24)?.withUnsafeBytes(visit)
        }
        cursor.read = count
      }
      open[index] = isFull ? nil : cursor
      if isFull { done[index] = block.sequence }
    }
    return isComplete
  }

  /// Notes the blocks handed out since the last time.
  ///
  /// - Returns: false when they were more than there are.
  private mutating func note(_ header: mainstay_header, most: UInt64) -> Bool {
    let count = min(UInt64(header.blocks.count), most)
    guard count > 0, header.next_block > next else { return true }
    // As the recorder numbers them: through all that have room in the file, or, on a full disk, through those that
    // have storage.
    let room = header.histograms.offset &- header.blocks.offset
    let capacity = max(count, min(room / UInt64(MAINSTAY_BLOCK_BYTES), most))
    let isComplete = header.next_block - next <= capacity
    for sequence in max(next, header.next_block - min(header.next_block, capacity))..<header.next_block {
      let index = sequence % capacity < count ? sequence % capacity : sequence % count
      if open[Int(index)] == nil { open[Int(index)] = Cursor() }
    }
    next = header.next_block
    return isComplete
  }
}
