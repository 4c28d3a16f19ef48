import CMainstayTrace
import Mainstay

/// Where a running program stands, in the figures of its summary so far, and the one line that says it.
public struct LiveStatus: Hashable, Sendable {
  public var elapsedSeconds: Double
  /// The part of the time in which the main actor ran something, from 0 to 1.
  public var busyShare: Double
  public var worstMilliseconds: Double
  public var droppedFrames: Int
  public var refreshRateHz: Double

  public init(
    elapsedSeconds: Double, busyShare: Double, worstMilliseconds: Double, droppedFrames: Int, refreshRateHz: Double
  ) {
    self.elapsedSeconds = elapsedSeconds
    self.busyShare = busyShare
    self.worstMilliseconds = worstMilliseconds
    self.droppedFrames = droppedFrames
    self.refreshRateHz = refreshRateHz
  }

  init(_ main: MainActorNow, _ clock: TickClock, _ header: mainstay_header, _ now: UInt64) {
    let elapsed = now > clock.start ? now - clock.start : 1
    let frame = Double(header.frame_nanoseconds)
    let frames = main.lengths.reduce(0) { sum, length in
      sum + min(1 << 40, max(0, Int((clock.nanoseconds(length) / frame).rounded(.up)) - 1))
    }
    let longest = main.lengths.max() ?? 0
    self.init(
      elapsedSeconds: clock.secondsSinceStart(now),
      busyShare: min(1, Double(main.busyTicks &+ main.openTicks) / Double(elapsed)),
      // With gaps only the stalls know how much of their time the process ran.
      worstMilliseconds: clock.milliseconds(main.hasGaps && longest > 0 ? longest : max(longest, main.worstTicks)),
      droppedFrames: frames + Int(counted: header.displaced_frames),
      refreshRateHz: (1e9 / frame * 10).rounded() / 10)
  }

  /// The line in fewer than `width` columns: what does not fit goes, from what matters least.
  public func line(width: Int) -> String {
    let elapsed = elapsedSeconds < 9_999.5 ? Self.oneDecimal(elapsedSeconds) + " s" : "\(Int(elapsedSeconds / 60)) min"
    let busy = "\(Int((busyShare * 100).rounded())) % busy"
    let worst = DurationText.milliseconds(worstMilliseconds)
    let count = DurationText.count(droppedFrames)
    let frames = droppedFrames == 1 ? "1 frame dropped" : "\(count) frames dropped"
    let rate =
      refreshRateHz == refreshRateHz.rounded() ? "\(Int(refreshRateHz)) Hz" : "\(Self.oneDecimal(refreshRateHz)) Hz"
    let full = ["main actor \(busy)", "worst job \(worst)", "\(frames) at \(rate)"]
    let forms: [[String]] = [
      full, ["main actor \(busy)", "worst job \(worst)", frames], ["main \(busy)", "worst \(worst)", frames],
      [busy, worst, "\(count) dropped"], [busy, worst], [busy], [],
    ]
    let lines = forms.enumerated().map { index, parts in
      ([elapsed] + parts).joined(separator: index < 3 ? "   " : "  ")
    }
    return lines.map { " " + $0 }.first { $0.count < width } ?? ""
  }

  private static func oneDecimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
