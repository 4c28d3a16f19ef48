/// The time one job on the main actor may take: one frame interval of a display.
///
/// A display that refreshes at `r` hertz shows a new frame every `Tf = 1/r` seconds. A main-actor job of
/// length `T` delays every frame that falls due while it runs, so it drops `ceil(T / Tf) - 1` of them.
public struct FrameBudget: Sendable, Hashable {
  /// The frame interval `Tf`.
  public let interval: Duration

  /// The budget of a display that refreshes `hertz` times a second.
  ///
  /// - Parameter hertz: the refresh rate, from 1 to 1,000,000. Another value is a mistake of the program and traps.
  public init(hertz: Int) {
    guard (1...1_000_000).contains(hertz) else {
      fatalError("FrameBudget: \(hertz) Hz is not a refresh rate; use 1 to 1,000,000")
    }
    // The interval is rounded to the attosecond, so that 60 Hz is 16.666… ms to 18 digits.
    self.init(interval: Duration(secondsComponent: 0, attosecondsComponent: 1_000_000_000_000_000_000) / hertz)
  }

  /// A budget of any length, for a display with a variable rate or a limit of one's own.
  ///
  /// - Parameter interval: longer than zero. Another value is a mistake of the program and traps.
  public init(interval: Duration) {
    guard interval > .zero else {
      fatalError("FrameBudget: an interval of \(interval) is no budget; it must be longer than zero")
    }
    self.interval = interval
  }

  /// 60 frames a second: 16.667 ms a frame.
  public static let hz60 = FrameBudget(hertz: 60)
  /// 120 frames a second: 8.333 ms a frame.
  public static let hz120 = FrameBudget(hertz: 120)

  /// The frames that a main-actor job of this length drops: `ceil(T / Tf) - 1`, and 0 for a job within the interval.
  ///
  /// The division is exact, so a job of precisely `n` intervals drops `n - 1` frames.
  public func droppedFrames(for length: Duration) -> Int {
    guard length > interval else { return 0 }
    let (quotient, remainder) = length.attoseconds.quotientAndRemainder(dividingBy: interval.attoseconds)
    return Int(clamping: quotient) - (remainder == 0 ? 1 : 0)
  }
}
