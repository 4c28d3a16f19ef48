/// What a list shows next when lines may come faster than frames do.

nonisolated public enum PacedLines {
  /// The lines for the next frame, the newest first: those that are shown, beneath the oldest of those that are not yet.
  ///
  /// Repeated frame after frame, it ends with `newest`, and the list is never shorter on the way. When more lines come
  /// than frames can take, those that newer ones have pushed out of `newest` again are never shown.
  ///
  /// - Parameters:
  ///   - shown: what the list shows now. When it is empty all lines come at once.
  ///   - newest: what it shall show in the end; as many lines as the list keeps, or fewer when there are no more.
  ///   - most: how many lines may come with one frame.
  public static func next<Line: Equatable>(after shown: [Line], towards newest: [Line], atMost most: Int) -> [Line] {
    guard let top = shown.first else { return newest }
    let ahead = newest.firstIndex(of: top) ?? newest.count
    guard ahead > most else { return newest }
    let next = newest[..<ahead].suffix(most) + shown
    return Array(next.prefix(max(newest.count, shown.count)))
  }
}
