/// The frame meter at the bottom of the window: always there.
import CAdwaita
import Foundation
import Mainstay

final class MeterView {
  let widget: Widget
  private let meter: FrameMeter
  private let rate = gallery_label("", 0)
  private let missed = gallery_label("", 0)
  private let job = gallery_label("", 0)
  private let lateness = gallery_label("", 0)
  private let plot: Widget
  private var framesUntilUpdate = 0

  init(of meter: FrameMeter) {
    self.meter = meter
    plot = drawing { [weak meter] canvas in
      if let meter { Self.draw(meter, on: canvas) }
    }
    gallery_size(plot, 60, 44)
    gallery_expand(plot, 1, 0)
    gallery_tooltip(plot, "How late the main actor (blue) and the pool (orange) were in the last ten seconds")
    plot.called("lateness plot")
    gallery_label_width(rate, 7)
    gallery_label_width(missed, 19)
    gallery_label_width(job, 24)
    let words = Box.column(spacing: 2).holding(
      Box.lines(spacing: 12).holding(
        rate.styled("heading").styled("numeric"), missed.styled("numeric"), job.styled("numeric")),
      lateness.styled("caption").styled("numeric"))
    widget = Box.row(spacing: 18).holding(words, plot)
    gallery_margins(widget, 8, 8, 14)
    rate.called("frames a second")
    missed.called("missed frames")
    job.called("last main-actor job")
    lateness.called("lateness")
  }

  /// Blue and orange of GNOME's palette: to be told apart on light and dark, and by those who see few colours.
  private static let mainColour = PlotColour(red: 0x35, green: 0x84, blue: 0xE4)
  private static let poolColour = PlotColour(red: 0xE6, green: 0x61, blue: 0x00)

  /// The line about the last job: its length and its frames by the formula.
  static func words(for job: Duration?, budget: FrameBudget) -> String {
    guard let job else { return "no main-actor job over 1 ms" }
    return "last job \(job.text) · \(budget.droppedFrames(for: job).frames)"
  }

  private func update() {
    let frames = meter.rate.perSecond.map { "\(Int($0.rounded()))" }
    rate.say("\(frames ?? "–") fps")
    let count = meter.missedInLastSecond
    missed.say("\(count.frames) missed in 1 s")
    gallery_class(missed, count > 0 ? "warning" : "dim-label")
    gtk_widget_remove_css_class(missed, count > 0 ? "dim-label" : "warning")
    let text = Self.words(for: meter.lastJob, budget: meter.budget)
    job.say(text)
    let last = meter.history.suffix(10)
    let main = last.map(\.main).max() ?? .zero
    let pool = last.map(\.pool).max() ?? .zero
    // The colours of the plot: this is its legend.
    gallery_label_markup(
      lateness,
      """
      Late in the last second: <span foreground="\(Self.mainColour.text)">●</span> main actor \(main.text)  \
      <span foreground="\(Self.poolColour.text)">●</span> pool \(pool.text)
      """)
    gallery_redraw(plot)
    Trace.note(
      "meter",
      [
        "fps": frames ?? "", "missed": "\(meter.missed)", "lastSecond": "\(count)", "job": text,
        "late": main.text, "poolLate": pool.text,
      ])
  }

  /// Two curves on a scale that is logarithmic from 0.1 ms to 1 s, and the line of one frame.
  private static func draw(_ meter: FrameMeter, on canvas: Canvas) {
    func y(_ length: Duration) -> Double {
      let milliseconds = min(max(length / .milliseconds(1), 0.1), 1000)
      return canvas.height - 2 - (canvas.height - 4) * (log10(milliseconds) + 1) / 4
    }
    let isDark = gallery_is_dark() != 0
    let shade = isDark ? 1.0 : 0.0
    canvas.colour(shade, shade, shade, 0.06)
    canvas.bar(x: 0, y: 0, width: canvas.width, height: canvas.height)
    canvas.colour(shade, shade, shade, 0.35)
    let frame = y(meter.budget.interval)
    canvas.bar(x: 0, y: frame, width: canvas.width, height: 1)
    if canvas.width >= 120 { canvas.text("one frame", x: 4, y: frame - 3, size: 9) }
    let step = canvas.width / Double(FrameMeter.samples - 1)
    for (colour, value) in [(poolColour, \FrameMeter.Sample.pool), (mainColour, \FrameMeter.Sample.main)] {
      canvas.colour(Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255)
      let start = FrameMeter.samples - meter.history.count
      canvas.polygon(
        meter.history.enumerated().map { (Double(start + $0.offset) * step, y($0.element[keyPath: value])) })
      canvas.stroke(width: 1.5)
    }
  }
}

nonisolated private struct PlotColour {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  /// As Pango's markup writes it.
  var text: String { String(format: "#%02x%02x%02x", red, green, blue) }
}

extension MeterView: @MainActor FrameListener {
  /// Four times a second: more could not be read.
  func frameBegan(at time: Int64, interval: Int64) {
    framesUntilUpdate -= 1
    guard framesUntilUpdate <= 0 else { return }
    framesUntilUpdate = 15
    update()
  }
}
