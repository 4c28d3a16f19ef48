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
    gallery_size(plot, 300, 44)
    gallery_tooltip(plot, "How late the main actor (blue) and the pool (orange) were in the last ten seconds")
    plot.called("lateness plot")
    gallery_size(rate, 70, -1)
    gallery_size(missed, 190, -1)
    gallery_size(job, 220, -1)
    let words = Box.column(spacing: 2).holding(
      Box.row(spacing: 16).holding(rate.styled("heading"), missed, job), lateness.styled("caption"))
    gallery_expand(words, 1, 0)
    widget = Box.row(spacing: 16, margin: 8).holding(words, plot)
    rate.called("frames a second")
    missed.called("missed frames")
    job.called("last main-actor job")
    lateness.called("lateness")
  }

  /// The line about the last job: its length and its frames by the formula.
  static func words(for job: Duration?, budget: FrameBudget) -> String {
    guard let job else { return "no main-actor job over 1 ms" }
    return "last job \(job.text) · \(budget.droppedFrames(for: job).frames)"
  }

  private func update() {
    rate.say("\(Int(meter.rate.rounded())) fps")
    let count = meter.missedInLastSecond
    missed.say("\(count.frames) missed in 1 s")
    gallery_class(missed, count > 0 ? "warning" : "dim-label")
    gtk_widget_remove_css_class(missed, count > 0 ? "dim-label" : "warning")
    let text = Self.words(for: meter.lastJob, budget: meter.budget)
    job.say(text)
    let last = meter.history.suffix(10)
    let main = last.map(\.main).max() ?? .zero
    let pool = last.map(\.pool).max() ?? .zero
    lateness.say("late in the last second: main actor \(main.text), pool \(pool.text)")
    gallery_redraw(plot)
    Trace.note("meter", ["fps": "\(Int(meter.rate.rounded()))", "missed": "\(meter.missed)", "job": text])
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
    canvas.text("one frame", x: 4, y: frame - 3, size: 9)
    let step = canvas.width / Double(FrameMeter.samples - 1)
    for (red, green, blue, value) in [
      (0.90, 0.55, 0.15, \FrameMeter.Sample.pool), (0.21, 0.52, 0.89, \FrameMeter.Sample.main),
    ] {
      canvas.colour(red, green, blue)
      let start = FrameMeter.samples - meter.history.count
      canvas.polygon(
        meter.history.enumerated().map { (Double(start + $0.offset) * step, y($0.element[keyPath: value])) })
      canvas.stroke(width: 1.5)
    }
  }
}

extension MeterView: @MainActor FrameListener {
  /// Four times a second: more could not be read.
  func frameBegan(interval: Int64, rate: Double) {
    framesUntilUpdate -= 1
    guard framesUntilUpdate <= 0 else { return }
    framesUntilUpdate = 15
    update()
  }
}
