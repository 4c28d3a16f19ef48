/// The recorder of this process, where there is one: the library tells it what boundaries have seen.

import Synchronization

/// A recorder is reached through C functions that may not be there: those of a preloaded one are looked up by name, those of
/// one that is linked are handed over by it. The library links neither.
package enum BoundaryRecorder {
  package typealias Tell =
    @convention(c) (
      _ kind: UInt32, _ name: UnsafePointer<CChar>?, _ contract: UnsafePointer<CChar>?, _ file: UnsafePointer<CChar>?,
      _ line: UInt32, _ counts: UnsafePointer<UInt64>?, _ queues: UnsafePointer<CChar>?
    ) -> Void
  package typealias Ask = @convention(c) ((@convention(c) () -> Void)?) -> Void

  private static let tell = Mutex<Tell?>(nil)

  /// Looks for a preloaded recorder, once, when the first boundary is made.
  static let search: Void = {
    guard let tell = PlatformFunctions.boundaryTell, let ask = PlatformFunctions.boundariesAsk else { return }
    attach(tell: tell, ask: ask)
  }()

  /// From now on this recorder is told: of every boundary whenever it asks, and at once of what may be the last that this
  /// process does.
  package static func attach(tell: @escaping Tell, ask: Ask) {
    Self.tell.withLock { $0 = tell }
    ask { Boundaries.tellAll() }
  }

  /// In the order of the recording's counts. All ones stand for what was not measured.
  static func note(_ row: BoundaryReport.Row) {
    guard let tell = tell.withLock({ $0 }) else { return }
    func nanoseconds(_ duration: Duration?) -> UInt64 { duration?.clockNanoseconds ?? .max }
    let counts: [UInt64] =
      [row.callbacks, row.onMain, row.offMain, row.cannotTell, row.inversions, row.merged].map { UInt64(max($0, 0)) }
      + [nanoseconds(row.latency?.p50), nanoseconds(row.latency?.p99)]
    let queues = row.queues.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key).joined(separator: "\n")
    tell(
      row.kind == .asserted ? 1 : 2, row.name, row.contract, row.file, UInt32(clamping: row.line), counts, queues)
  }
}
