/// Frames a second, counted over a whole one.

nonisolated struct FrameRate {
  /// When frames began, the oldest first: those of the last second, and the one before it. In microseconds.
  private var times: [Int64] = []
  private static let second: Int64 = 1_000_000

  /// - Parameter time: of the frame clock in microseconds, later than that of the frame before.
  mutating func count(frameAt time: Int64) {
    times.append(time)
    while times.count > 1, times[1] <= time - Self.second { times.removeFirst() }
  }

  /// Nil until there were frames for a second: over less, one frame more or less would be many a second.
  var perSecond: Double? {
    guard let first = times.first, let last = times.last, last - first >= Self.second else { return nil }
    return Double(times.count - 1) * Double(Self.second) / Double(last - first)
  }
}
