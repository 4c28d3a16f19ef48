/// The exercise: the pictures of twenty articles, decoded in three ways beside the formula.
import CAdwaita
import Catalogue
import Mainstay
import Pictures
import PixbufPictures
import Thumbnails

final class ThumbnailsPage: Page {
  static let name = "thumbnails"
  static let title = "Thumbnails"
  static let icon = "image-x-generic-symbolic"
  let explanation = "On: all pictures in one main-actor job. Off: a task group, and one update of the main actor."
  let widget = gallery_stack()
  var worksOnMain = false {
    didSet { showButtons() }
  }

  private let surroundings: PageSurroundings
  private var current: [Article] = []
  private(set) var model: ThumbnailsModel?
  private var preparing: Task<Void, Never>?
  private let load = gallery_button("Load Twenty Thumbnails")
  private let all = gallery_button("Measure All Three Ways")
  private let status = StatusLine(called: "thumbnails status")
  private let pictures: [Widget]
  private let table = gallery_grid(6)
  private var cells: [ThumbnailWay: [Widget]] = [:]
  private var shown: Set<Article.ID> = []
  /// What the table shows: a text that is set anew is laid out anew, and the page with it.
  private var measured: [ThumbnailWay: ThumbnailMeasurement] = [:]
  /// Whether the pictures on the page may be others than the model's.
  private var isStale = false

  init(_ surroundings: PageSurroundings) {
    self.surroundings = surroundings
    let grid = gallery_grid(10)
    gallery_grid_even(grid)
    pictures = (0..<ThumbnailsModel.count).map { index in
      let picture = gallery_picture_card()
      gallery_size(picture, 60, 40)
      gallery_expand(picture, 1, 1)
      gallery_grid_put(grid, picture, Int32(index % 5), Int32(index / 5))
      return picture
    }
    gallery_expand(grid, 1, 1)
    gallery_size(status.widget, 240, -1)
    let content = Box.column(spacing: 12, margin: 12).holding(
      Box.lines(spacing: 12).holding(load.styled("suggested-action"), all, status.widget), grid,
      gallery_scrolled_across(table))
    let search = gallery_button("Search")
    let empty = gallery_status(
      "system-search-symbolic", "No articles yet", "Search for articles first: their pictures are loaded here.")
    gallery_middle(search)
    gallery_status_child(empty, search.styled("pill").styled("suggested-action"))
    gallery_stack_add(widget, "empty", "", empty)
    gallery_stack_add(widget, "content", "", gallery_scrolled(content))
    search.called("search first")
    search.on("clicked") { surroundings.show?(SearchPage.name) }
    load.called("load thumbnails")
    all.called("measure all three ways")
    grid.called("thumbnails")
    makeTable()
    load.on("clicked") { [weak self] in self?.loadOnce() }
    all.on("clicked") { [weak self] in self?.measureAll() }
    showButtons()
  }

  private static let headings = [
    "Way", "Decoding", "Job foreseen", "Frames", "Main actor late", "Frames", "Pool late",
  ]

  private func makeTable() {
    gallery_grid_gap(table, 16)
    for (column, text) in Self.headings.enumerated() {
      let heading = gallery_words(text)
      if column > 0 { gallery_label_right(heading) }
      gallery_grid_put(table, heading.styled("caption-heading"), Int32(column), 0)
    }
    for (row, way) in ThumbnailWay.allCases.enumerated() {
      cells[way] = Self.headings.indices.map { column in
        let cell = gallery_words(column == 0 ? way.title : "–")
        if column > 0 { gallery_label_right(cell) } else { gallery_label_width(cell, 22) }
        gallery_expand(cell, column == 0 ? 1 : 0, 0)
        gallery_grid_put(table, cell.styled(column == 0 ? "body" : "numeric"), Int32(column), Int32(row + 1))
        return cell
      }
    }
  }

  var frameListener: (any FrameListener)? { self }

  /// Draws and encodes pictures for the articles on the search page, unless that was done for them already.
  func appear() {
    let articles = Array((search?.found ?? []).prefix(ThumbnailsModel.count))
    guard preparing == nil else { return }
    guard !articles.isEmpty else {
      gallery_stack_show(widget, "empty")
      return
    }
    gallery_stack_show(widget, "content")
    guard articles != current else { return }
    current = articles
    model = nil
    showButtons()
    status.say("Making pictures that take 15 ms to decode …")
    preparing = Task { [weak self] in
      let source = try? await CalibratedThumbnails.prepared(
        for: articles.map(\.imageSeed), decoding: .milliseconds(15))
      guard let self, let source else { return }
      preparing = nil
      status.say("\(articles.count) pictures of \(source.width) × \(source.height) pixels, 15 ms each to decode")
      let model = ThumbnailsModel(source: source, budget: .hz60)
      self.model = model
      shown = []
      follow { [weak self] in self?.show(model) }
    }
  }

  private func showButtons() {
    let isFree = model != nil && model?.running == nil
    gallery_sensitive(load, isFree ? 1 : 0)
    gallery_sensitive(all, isFree ? 1 : 0)
  }

  private func show(_ model: ThumbnailsModel) {
    showButtons()
    isStale = true
    if let problem = model.problem { status.say(problem: problem) }
    for (way, measurement) in model.measurements where measured[way] != measurement {
      measured[way] = measurement
      show(measurement, in: cells[way] ?? [])
    }
    Trace.note(
      "thumbnails",
      [
        "running": model.running?.rawValue ?? "", "pictures": "\(model.thumbnails.count)",
        "measured": model.measurements.keys.map(\.rawValue).sorted().joined(separator: " "),
      ])
  }

  /// What may change in one frame, so that it is drawn in time without a graphics card: a picture, or some empty cards.
  private static let perFrame = 4
  private static let costOfPicture = 4

  /// Shows what the model has, a picture a frame.
  private func showPictures(of model: ThumbnailsModel) {
    var left = Self.perFrame
    for (index, article) in current.enumerated() {
      let picture = model.thumbnails[article.id]
      guard shown.contains(article.id) != (picture != nil) else { continue }
      guard left > 0 else { return }
      left -= picture == nil ? 1 : Self.costOfPicture
      if let picture {
        shown.insert(article.id)
        picture.pixels.withUnsafeBytes {
          gallery_picture_show(pictures[index], $0.baseAddress, Int32(picture.width), Int32(picture.height))
        }
      } else {
        shown.remove(article.id)
        gallery_picture_show(pictures[index], nil, 0, 0)
      }
    }
    isStale = false
  }

  private func show(_ measurement: ThumbnailMeasurement, in cells: [Widget]) {
    let texts = [
      measurement.way.title, measurement.decoding.text, measurement.predictedJob.text,
      "\(measurement.predictedFrames)", measurement.worstDelay.text, "\(measurement.delayFrames)",
      measurement.poolDelay.text,
    ]
    for (cell, text) in zip(cells, texts) { cell.say(text) }
  }

  private func loadOnce() { model?.load(current, worksOnMain ? .insideTask : .taskGroup) }

  private func measureAll() {
    Task { [weak self] in
      for way in ThumbnailWay.allCases {
        guard let self, let model else { return }
        model.load(current, way)
        await model.settle()
      }
    }
  }

  /// The page whose articles get their pictures here.
  private var search: SearchPage? { surroundings.page(SearchPage.self) }

  func prepare() async {
    await search?.prepare()
    await search?.act()
    appear()
  }

  func act() async {
    while let preparing { await preparing.value }
    loadOnce()
    await model?.settle()
  }
}

extension ThumbnailsPage: @MainActor FrameListener {
  func frameBegan(at time: Int64, interval: Int64) {
    // Articles that were found after this page was looked at.
    if current.isEmpty, gtk_widget_get_mapped(widget) != 0, search?.found.isEmpty == false { appear() }
    if isStale, let model { showPictures(of: model) }
  }
}
