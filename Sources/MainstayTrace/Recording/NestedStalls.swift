import CMainstayTrace

/// Stalls in whose middle others ran: an immediate task, a main queue that something drains within its job.
extension [mainstay_stall] {
  /// Those that did not run inside another one of their thread. A stall counts whole, from before what ran inside it to its
  /// own end: whoever waits for the main actor waits for both at once, and the screen misses each frame once.
  ///
  /// - Parameter open: what still ran on the main actor when the recording was read, or ended without saying so.
  func outermost(within open: [mainstay_thread] = []) -> [mainstay_stall] {
    let began = Dictionary(
      open.filter { $0.start != 0 && $0.whole != 0 }.map { ($0.tid, $0.whole) }, uniquingKeysWith: Swift.min)
    var ends: [UInt32: UInt64] = [:]
    var inner: Set<Int> = []
    let order = indices.sorted { (self[$0].start, self[$1].end, $0) < (self[$1].start, self[$0].end, $1) }
    for index in order {
      let stall = self[index]
      let isInOpen = began[stall.tid].map { stall.start >= $0 } ?? false
      if isInOpen || stall.end <= ends[stall.tid] ?? 0 { inner.insert(index) } else { ends[stall.tid] = stall.end }
    }
    return inner.isEmpty ? self : indices.filter { !inner.contains($0) }.map { self[$0] }
  }
}

extension mainstay_stall {
  /// In ticks; the recording may be damaged, so it does not overflow.
  var end: UInt64 {
    let (end, overflows) = start.addingReportingOverflow(length)
    return overflows ? .max : end
  }
}
