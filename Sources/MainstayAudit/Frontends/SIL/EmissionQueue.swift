/// What the workers of an emission do next: emit a batch while there is one, otherwise read what was emitted.
import Foundation

/// Who has nothing to do while others still emit waits for their files, so that no core rests while another has some left.
final class EmissionQueue<File: Sendable>: @unchecked Sendable {
  enum Work {
    /// The number of a batch.
    case emit(Int)
    case read(File)
  }

  private let batches: Int
  // All below is touched with `changed` locked.
  private let changed = NSCondition()
  private var nextBatch = 0
  private var emitting = 0
  private var files: [File] = []

  init(batches: Int) { self.batches = batches }

  /// Blocks while others emit and nothing is left to do; nil when nothing more can come.
  func next() -> Work? {
    changed.lock()
    defer { changed.unlock() }
    while true {
      if nextBatch < batches {
        nextBatch += 1
        emitting += 1
        return .emit(nextBatch - 1)
      }
      if let file = files.popLast() { return .read(file) }
      if emitting == 0 { return nil }
      changed.wait()
    }
  }

  /// A batch has been emitted, and these files are to be read.
  func finished(_ emitted: [File]) {
    changed.lock()
    emitting -= 1
    files += emitted
    changed.broadcast()
    changed.unlock()
  }
}
