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
  private let flap: Widget
  private let flapButton: Widget
  private let heading = gallery_window_title("Gallery", "")
  private let toggle = gallery_switch()
  private let explanation = gallery_label("", 1)
  private let meterView: MeterView
  private let widget: Widget
  /// With what the application shall end.
  private(set) var status: Int32 = 0
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
    gallery_margins(explanation, 10, 0, 14)
    gallery_expand(stack, 1, 1)
    let content = Box.column(spacing: 0).holding(explanation.styled("caption").styled("dim-label"), stack)
    gallery_expand(content, 1, 1)
    flap = gallery_flap(sidebar, content)
    flapButton = gallery_flap_button(flap)
    let switching = Box.row().holding(gallery_words("On the main actor"), toggle)
    let menu = gallery_main_menu()
    gallery_visible(flapButton, 0)
    widget = gallery_window(
      app, "Gallery",
      Box.column(spacing: 0).holding(
        gallery_header(flapButton, heading, switching, menu), flap,
        gtk_separator_new(GTK_ORIENTATION_HORIZONTAL), meterView.widget))
    // The smallest that every page holds, about sixty columns of text. Below this and the list of pages together, the list
    // is folded away.
    gallery_size(content, 480, 420)
    surroundings.window = widget
    surroundings.show = { [stack] name in gallery_stack_show(stack, name) }
    sidebar.called("pages")
    toggle.called("work on the main actor")
    menu.called("main menu")
    flapButton.called("show the pages")
    connect()
    connectKeys()
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
    // Over the content, the list has done what it was opened for; where a row is chosen already, too.
    sidebar.on("row-activated") { [unowned self] in
      if gallery_flap_is_folded(flap) != 0 { gallery_flap_open(flap, 0) }
    }
    flap.on("notify::folded") { [unowned self] in
      // When the window has been laid out.
      Task {
        let isFolded = gallery_flap_is_folded(flap) != 0
        gallery_visible(flapButton, isFolded ? 1 : 0)
        Trace.note("sidebar", ["folded": "\(isFolded)"])
      }
    }
    toggle.on("notify::active") { [unowned self] in
      current.worksOnMain = gallery_switch_is_on(toggle) != 0
      Trace.note("switch", ["page": current.name, "main": "\(current.worksOnMain)"])
    }
    widget.on("close-request") { [unowned self] in close() }
  }

  private func connectKeys() {
    var keys = pages.enumerated().map { index, page in
      Shortcut("Pages", page.name, "<Alt>\(index + 1)", page.title) { [unowned self] in
        gallery_stack_show(stack, page.name)
      }
    }
    keys += [
      Shortcut("Pages", "find", "<Control>f", "Search for articles") { [unowned self] in
        gallery_stack_show(stack, SearchPage.name)
        surroundings.page(SearchPage.self)?.appear()
      },
      Shortcut("Window", "on-main", "<Control>m", "Work on the main actor, or off it") { [unowned self] in
        gallery_switch_turn(toggle, gallery_switch_is_on(toggle) != 0 ? 0 : 1)
      },
      Shortcut("Window", "sidebar", "F9", "Show or hide the pages") { [unowned self] in
        gallery_flap_open(flap, gallery_flap_is_open(flap) != 0 ? 0 : 1)
      },
      Shortcut("Window", "quit", "<Control>q", "Quit") { [unowned self] in close() },
    ]
    for key in keys { shortcut(app, key.name, key.keys, key.action) }
    gallery_shortcuts(widget, Shortcut.description(of: keys + Shortcut.ofTheToolkit))
    shortcut(app, "about", "", { [widget] in MainMenu.showAbout(over: widget) })
    chooseWith(app, "style", Style.chosen(options.theme).rawValue) { Style(rawValue: $0)?.apply() }
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
        let (report, holds) = await exercise.run(count)
        guard !Task.isCancelled else { return }
        print(report)
        status = holds ? 0 : 2
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
  func frameBegan(at time: Int64, interval: Int64) {
    if !hasDrawn {
      hasDrawn = true
      let now = ProcessAge.now
      Task { Trace.note("first frame", ["milliseconds": "\(await ProcessAge.milliseconds(at: now))"]) }
    }
    framesUntilPlaces -= 1
    guard framesUntilPlaces <= 0 else { return }
    framesUntilPlaces = 10
    Trace.notePlaces(in: widget)
  }
}
