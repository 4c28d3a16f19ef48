/// The window: a header bar, the pages beside their list, and the frame meter beneath.
import CAdwaita
import Foundation

final class GalleryWindow {
  private let app: UnsafeMutablePointer<AdwApplication>
  private let options: AppOptions
  private let meter = FrameMeter()
  private let surroundings: PageSurroundings
  private var pages: [any Page] { surroundings.pages }
  private let stack = gallery_stack()
  private let sidebar = gallery_sidebar()
  private let heading = gallery_window_title("Gallery", "")
  private let toggle = gallery_switch()
  private let explanation = gallery_label("", 1)
  private let meterView: MeterView
  private let widget: Widget
  private var isClosing = false
  private var framesUntilPlaces = 0
  private var hasDrawn = false

  init(_ app: UnsafeMutablePointer<AdwApplication>, _ options: AppOptions) {
    self.app = app
    self.options = options
    surroundings = PageSurroundings(options)
    meterView = MeterView(of: meter)
    for page in surroundings.pages {
      gallery_stack_add(stack, page.name, page.title, page.widget)
      gallery_sidebar_add(sidebar, type(of: page).icon, page.title).called("\(page.title) page")
    }
    let switching = Box.row().holding(gallery_label("On the main actor", 0), toggle)
    toggle.called("work on the main actor")
    sidebar.called("pages")
    gallery_expand(stack, 1, 1)
    gallery_expand(explanation, 1, 0)
    let note = Box.row(margin: 8).holding(explanation.styled("caption"))
    let content = Box.row(spacing: 0).holding(
      sidebar, gtk_separator_new(GTK_ORIENTATION_VERTICAL), Box.column(spacing: 0).holding(note, stack))
    gallery_expand(content, 1, 1)
    widget = gallery_window(
      app, "Gallery",
      Box.column(spacing: 0).holding(
        gallery_header(heading, switching), content, gtk_separator_new(GTK_ORIENTATION_HORIZONTAL), meterView.widget))
    surroundings.window = widget
    connect()
    begin()
  }

  private var current: any Page {
    let name = gallery_stack_shown(stack).map { String(cString: $0) }
    return pages.first { $0.name == name } ?? pages[0]
  }

  private func connect() {
    stack.on("notify::visible-child") { [unowned self] in appeared() }
    sidebar.on("row-selected") { [unowned self] in
      let place = Int(gallery_sidebar_choice(sidebar))
      if pages.indices.contains(place) { gallery_stack_show(stack, pages[place].name) }
    }
    toggle.on("notify::active") { [unowned self] in
      current.worksOnMain = gallery_switch_is_on(toggle) != 0
      Trace.note("switch", ["page": current.name, "main": "\(current.worksOnMain)"])
    }
    for (index, page) in pages.enumerated() {
      shortcut(app, page.name, "<Alt>\(index + 1)") { [unowned self] in gallery_stack_show(stack, page.name) }
    }
    shortcut(app, "find", "<Control>f") { [unowned self] in
      gallery_stack_show(stack, SearchPage.name)
      surroundings.page(SearchPage.self)?.appear()
    }
    shortcut(app, "on-main", "<Control>m") { [unowned self] in
      gallery_switch_turn(toggle, gallery_switch_is_on(toggle) != 0 ? 0 : 1)
    }
    shortcut(app, "quit", "<Control>q") { [unowned self] in close() }
    widget.on("close-request") { [unowned self] in close() }
  }

  private func begin() {
    for page in pages { page.worksOnMain = options.worksOnMain }
    meter.start()
    for page in pages { page.open() }
    gallery_stack_show(stack, options.page)
    appeared()
    gallery_present(widget)
    FrameListeners.listen([meter, meterView] + pages.compactMap(\.frameListener) + [self], to: widget)
    if let count = options.exercise {
      Task {
        let exercise = Exercise(of: current, meter)
        await exercise.begin()
        print(await exercise.run(count))
        close()
      }
    }
  }

  private func appeared() {
    let page = current
    gallery_window_subtitle(heading, page.title)
    if let place = pages.firstIndex(where: { $0 === page }) { gallery_sidebar_choose(sidebar, Int32(place)) }
    explanation.say(page.explanation)
    gallery_switch_turn(toggle, page.worksOnMain ? 1 : 0)
    page.appear()
    Trace.note("page", ["name": page.name])
  }

  /// Ends the application when no page has anything to lose any more.
  private func close() {
    guard !isClosing else { return }
    isClosing = true
    Task {
      for page in pages { await page.close() }
      gallery_quit(app)
    }
  }
}

extension GalleryWindow: @MainActor FrameListener {
  func frameBegan(interval: Int64, rate: Double) {
    if !hasDrawn {
      hasDrawn = true
      Trace.note("first frame", ["milliseconds": "\(ProcessAge.milliseconds())"])
    }
    framesUntilPlaces -= 1
    guard framesUntilPlaces <= 0 else { return }
    framesUntilPlaces = 10
    Trace.notePlaces(in: widget)
  }
}

/// How long this process has been there.
enum ProcessAge {
  static func milliseconds() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
      let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 19,
      let ticks = Int(fields[19])
    else { return -1 }
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000 - ticks * 1000 / sysconf(Int32(_SC_CLK_TCK))
  }
}
