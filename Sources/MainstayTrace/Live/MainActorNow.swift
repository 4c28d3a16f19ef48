import CMainstayTrace

/// What the main actor's long stretches say at one moment: those that ended long, and the one that runs.
struct MainActorNow {
  /// Of each stall, and of what runs now, in ticks without the times in which the whole process stood still.
  private(set) var lengths: [UInt64]
  /// How long the open stretch has been running; 0 when none is.
  private(set) var openTicks: UInt64 = 0
  let hasGaps: Bool

  init(
    _ header: mainstay_header, _ file: OpenFile, _ threads: [mainstay_thread], _ functions: MainFunctions,
    _ now: UInt64
  ) {
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
    let stalls = file.elements(header.stalls, as: mainstay_stall.self).filter { $0.start != 0 }
    lengths = stalls.map { running($0.start, $0.start &+ $0.length) }
    // A stall that ended after the threads were read is counted once.
    let ended = stalls.map { $0.start &+ $0.length }.max() ?? 0
    // A program that hangs shows it while it hangs.
    for thread in threads where thread.tid != 0 && thread.start != 0 && functions.contains(thread.function) {
      openTicks = max(openTicks, running(thread.start, now))
      if thread.start > ended { lengths.append(running(thread.start, now)) }
    }
  }
}
