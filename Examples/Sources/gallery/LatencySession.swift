/// `gallery probe latency`: the article's table, measured here for every way of delivery.
import FeedProbes
import Mainstay

@MainActor
struct LatencySession {
  let options: LatencyOptions
  let console: Console
  /// The program that measures on a display, where it is looked for.
  var display = DisplayProbe()

  func run() async throws -> ExitCode {
    switch try await display.run(options) {
    case .ended(let status): return status
    case .impossible(let reason):
      if options.frames == .display { throw DisplayProbe.Absent(reason) }
      // Without a display nobody expects its frames.
      if display.hasDisplay { console.complain("\(reason). Frames come from a clock without a display.") }
    case .notAsked: break
    }
    let seconds = options.updates / options.hertz
    if seconds >= 3 {
      let times = options.hitchEvery > 0 ? "twice " : ""
      console.complain("\(options.updates) updates at \(options.hertz) Hz take \(times)\(seconds) s …")
    }
    let report = try await LatencyMeasurement(options).report(from: FrameLoop(hertz: options.hertz))
    switch options.format {
    case .table: console.print(report.text(width: console.width))
    case .json: console.print(try await report.json())
    }
    return .success
  }
}
