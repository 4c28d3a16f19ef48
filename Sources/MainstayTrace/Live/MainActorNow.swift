import CMainstayTrace

/// What the main actor has run by one moment: all of it, what was long, and what runs.
struct MainActorNow {
  /// Of each stall, and of what runs now, in ticks without the times in which the whole process stood still.
  private(set) var lengths: [UInt64]
  /// Everything that has ended, added up, and the longest of it, in ticks. The longest of these is known up to 2^32.
  private(set) var busyTicks: UInt64 = 0
  private(set) var worstTicks: UInt64 = 0
  /// How long the open stretch has been running; 0 when none is.
  private(set) var openTicks: UInt64 = 0
  let hasGaps: Bool

  init(_ header: mainstay_header, _ file: OpenFile, _ now: UInt64) {
    let gaps: [Range<UInt64>] =
      header.next_gap == 0
      ? []
      : file.elements(header.gaps, as: mainstay_gap.self).prefix(Int(counted: header.next_gap))
        .compactMap { $0.start < $0.end ? $0.start..<$0.end : nil }
    func running(_ start: UInt64, _ end: UInt64) -> UInt64 {
      guard end > start else { return 0 }
      let still = gaps.map { $0.clamped(to: start..<end) }.map { $0.upperBound - $0.lowerBound }.reduce(0, &+)
      return end - start - min(still, end - start)
    }
    hasGaps = !gaps.isEmpty
    let threads = file.elements(header.threads, as: mainstay_thread.self)
    let stalls = file.elements(header.stalls, as: mainstay_stall.self).filter { $0.start != 0 }.outermost()
    lengths = stalls.map { running($0.start, $0.start &+ $0.length) }
    // A stall that ended after the threads were read is counted once.
    let ended = stalls.map { $0.start &+ $0.length }.max() ?? 0
    for thread in threads {
      busyTicks &+= thread.main_ticks
      worstTicks = max(worstTicks, UInt64(thread.main_worst))
      // A program that hangs shows it while it hangs.
      guard thread.tid != 0, thread.start != 0, Self.isMain(thread.function, header, file) else { continue }
      openTicks = max(openTicks, running(thread.start, now))
      if thread.start > ended { lengths.append(running(thread.start, now)) }
    }
  }

  private static func isMain(_ function: UInt16, _ header: mainstay_header, _ file: OpenFile) -> Bool {
    guard UInt32(function) < header.functions.count else { return false }
    let offset = header.functions.offset &+ UInt64(function) * UInt64(MemoryLayout<mainstay_function>.stride)
    let found = file.elements(at: offset, count: 1, as: mainstay_function.self).first
    return found.map { $0.key & 0xffff == MAINSTAY_EXECUTOR_MAIN.rawValue + 1 } ?? false
  }
}
