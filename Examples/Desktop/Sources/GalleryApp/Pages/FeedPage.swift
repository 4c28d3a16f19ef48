/// A progress that a foreign runtime hands back once a frame, through a boundary of one's choice.
import CAdwaita
import Feed
import FeedImplementations
import Foundation
import Mainstay
import Observation

final class FeedPage: Page {
  static let name = "feed"
  static let title = "Feed"
  static let icon = "network-transmit-receive-symbolic"
  static let options = [delivery, count]
  private static let delivery = PageOption(
    "--delivery", "NAME", DeliveryWay.allCases.map(\.rawValue).joined(separator: ", "),
    fallback: DeliveryWay.asserted.rawValue)
  private static let count = PageOption(
    "--updates", "N", "how many a run of the feed has", fallback: "\(ProgressModel.updates)")
  let explanation =
    "On: every sixteenth frame has 25 ms of work on the main actor, and is too long. Off: that work is done elsewhere."
  let widget: Widget
  var worksOnMain = false {
    didSet { model.worksOnMain = worksOnMain }
  }
  var frameListener: (any FrameListener)? { self }

  private(set) var model: ProgressModel
  /// How many updates a run has.
  private let updates: Int
  private var outcomes: [DeliveryWay: ProgressModel.Outcome] = [:]
  /// What is still to be run, one after the other.
  private var waiting: [DeliveryWay] = []
  private var ways: Choice?
  private var runtimes: Choice?
  private let choices = Box.lines(spacing: 12)
  private let start = gallery_button("Start")
  private let all = gallery_button("Run all five")
  private let notice = gallery_label("", 1)
  private let contract = gallery_label("", 1)
  private let table = gallery_grid(6)
  private var cells: [DeliveryWay: [Widget]] = [:]
  private let canvas = Canvases()
  private var framesUntilNumbers = 0
  /// A frame has begun that is not drawn yet. What GTK draws otherwise is no frame.
  private var isBegun = false

  /// The widgets that draw themselves, made before the page is there to be drawn.
  private final class Canvases {
    weak var page: FeedPage?
    private(set) var bar = gallery_label("", 0)
    private(set) var strip = gallery_label("", 0)

    init() {
      bar = drawing { [weak self] canvas in
        guard let page = self?.page else { return }
        page.draw()
        FeedDrawing.bar(of: page.model, on: canvas)
      }
      strip = drawing { [weak self] canvas in
        if let page = self?.page { FeedDrawing.frames(of: page.model, on: canvas) }
      }
    }

    func redraw() {
      gallery_redraw(bar)
      gallery_redraw(strip)
    }
  }

  init(_ surroundings: PageSurroundings) {
    let (wayName, countText) = (surroundings.options[Self.delivery], surroundings.options[Self.count])
    let way = DeliveryWay(rawValue: wayName)
    let count = Int(countText).flatMap { (1...100_000).contains($0) ? $0 : nil }
    updates = count ?? ProgressModel.updates
    model = ProgressModel(.c, way ?? .asserted, updates: updates)
    gallery_size(canvas.bar, 200, 56)
    gallery_size(canvas.strip, 200, 84)
    gallery_expand(canvas.bar, 1, 0)
    gallery_expand(canvas.strip, 1, 0)
    gallery_visible(notice, 0)
    let column = Box.column(spacing: 12, margin: 16).holding(
      choices, Box.row().holding(start.styled("suggested-action"), all), notice.styled("warning"), canvas.bar,
      gallery_label("Frames, the newest to the right", 0).styled("caption-heading"), canvas.strip,
      gallery_label(
        "Blue: the frame showed a new value, made in this frame. Orange: made a frame before, or more. Red below: values that"
          + " no frame showed. A gap: nothing new.", 1
      ).styled("caption"), gallery_scrolled_across(table), contract.styled("caption"))
    widget = gallery_scrolled(column)
    start.called("start or stop")
    all.called("run all five")
    notice.called("feed notice")
    contract.called("contract")
    canvas.bar.called("progress")
    canvas.strip.called("frames of the feed")
    table.called("what the screen showed")
    makeTable()
    canvas.page = self
    let ways = Choice(DeliveryWay.allCases.map(\.title)) { [weak self] in self?.choose(DeliveryWay.allCases[$0]) }
    let runtimes = Choice(FeedImplementation.allCases.map(\.title)) { [weak self] in
      self?.choose(FeedImplementation.allCases[$0])
    }
    // The runtimes go beneath the ways before the ways take more than two lines.
    gallery_size(ways.widget, 430, -1)
    gallery_size(runtimes.widget, 132, -1)
    choices.holding(ways.widget, runtimes.widget)
    (self.ways, self.runtimes) = (ways, runtimes)
    start.on("clicked") { [weak self] in self?.startOrStop() }
    all.on("clicked") { [weak self] in self?.runAll() }
    begin(.c, model.way)
    if way == nil { complain("there is no delivery \"\(wayName)\": \(Self.delivery.help)") }
    if count == nil { complain("\(Self.count.name) is 1 to 100000, not \"\(countText)\"") }
  }

  private func complain(_ problem: String) {
    notice.say(problem)
    gallery_visible(notice, 1)
  }

  // MARK: Choosing and running

  private func begin(_ implementation: FeedImplementation, _ way: DeliveryWay, updates: Int? = nil) {
    model.stop()
    model = ProgressModel(implementation, way, updates: updates ?? self.updates)
    model.worksOnMain = worksOnMain
    ways?.show(DeliveryWay.allCases.firstIndex(of: way) ?? 0)
    runtimes?.show(FeedImplementation.allCases.firstIndex(of: implementation) ?? 0)
    follow { [weak self, model] in self?.show(model) }
    canvas.redraw()
  }

  /// A run that is under way ends.
  private func choose(_ way: DeliveryWay) {
    waiting = []
    begin(model.implementation, way)
  }

  private func choose(_ implementation: FeedImplementation) {
    waiting = []
    outcomes = [:]
    begin(implementation, model.way)
  }

  private func startOrStop() {
    waiting = []
    if model.isRunning {
      model.stop()
    } else {
      begin(model.implementation, model.way)
      model.start()
    }
  }

  private func runAll() {
    waiting = DeliveryWay.allCases
    runNext()
  }

  private func runNext() {
    guard let way = waiting.first else { return }
    waiting.removeFirst()
    begin(model.implementation, way)
    model.start()
  }

  /// A short run, of two seconds at 60 Hz.
  func act() async {
    waiting = []
    begin(model.implementation, model.way, updates: 120)
    model.start()
    for await isRunning in Observations({ [model] in model.isRunning }) where !isRunning { return }
  }

  // MARK: Showing

  private func show(_ shown: ProgressModel) {
    // An older one may still be told that it has ended.
    guard shown === model else { return }
    gallery_button_say(start, model.isRunning ? "Stop" : "Start")
    gallery_sensitive(all, model.isRunning ? 0 : 1)
    if let problem = model.problem { complain(problem) } else { gallery_visible(notice, 0) }
    contract.say(model.contract.map { "Relies on: \($0)." } ?? "")
    if !model.isRunning {
      if model.isFinished { outcomes[model.way] = model.outcome }
      showNumbers()
      if model.isFinished { runNext() }
    }
    note()
  }

  private static let headings = ["delivery", "shown", "skipped", "frames later", "at most", "out of order"]

  private func makeTable() {
    for (column, text) in Self.headings.enumerated() {
      gallery_grid_put(table, gallery_words(text).styled("caption-heading"), Int32(column), 0)
    }
    for (row, way) in DeliveryWay.allCases.enumerated() {
      cells[way] = Self.headings.indices.map { column in
        let cell = gallery_words(column == 0 ? way.title : "–")
        gallery_expand(cell, 1, 0)
        gallery_grid_put(table, cell.styled(column == 0 ? "body" : "numeric"), Int32(column), Int32(row + 1))
        return cell
      }
    }
  }

  private func showNumbers() {
    for (way, row) in cells {
      let isCurrent = way == model.way && model.isRunning
      let outcome = isCurrent ? model.outcome : outcomes[way]
      let texts = outcome.map {
        [
          "\($0.shown)", "\($0.skipped)", String(format: "%.2f", $0.averageFramesLater), "\($0.worstFramesLater)",
          "\($0.inversions)",
        ]
      }
      for (cell, text) in zip(row.dropFirst(), texts ?? Array(repeating: "–", count: 5)) { cell.say(text) }
    }
  }

  private func note() {
    Trace.note(
      "feed",
      [
        "way": model.way.rawValue, "runtime": model.implementation.rawValue, "running": "\(model.isRunning)",
        "finished": "\(model.isFinished)", "problem": model.problem ?? "", "update": "\(model.update)",
        "shown": "\(model.outcome.shown)", "skipped": "\(model.outcome.skipped)",
        "inversions": "\(model.outcome.inversions)",
        "later": String(format: "%.2f", model.outcome.averageFramesLater), "worst": "\(model.outcome.worstFramesLater)",
        "measured": outcomes.keys.map(\.rawValue).sorted().joined(separator: " "),
      ])
  }
}

extension FeedPage: @MainActor FrameListener {
  func frameBegan(at time: Int64, interval: Int64) {
    // A page that is not on the screen has no frames.
    guard model.isRunning, gtk_widget_get_mapped(canvas.bar) != 0 else { return }
    model.beginFrame(interval: interval > 0 ? .microseconds(interval) : FrameBudget.hz60.interval)
    isBegun = true
    canvas.redraw()
    framesUntilNumbers -= 1
    guard framesUntilNumbers <= 0 else { return }
    framesUntilNumbers = 15
    showNumbers()
    note()
  }

  /// The frame is drawn: what has been applied by now is what a person sees.
  private func draw() {
    guard isBegun else { return }
    isBegun = false
    model.drawFrame()
  }
}
