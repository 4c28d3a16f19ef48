/// Searches 52,000 articles at every keystroke.
import CAdwaita
import Catalogue
import Search

final class SearchPage: Page {
  static let name = "search"
  static let title = "Search"
  static let icon = "system-search-symbolic"
  static let options = [catalogue, query]
  private static let catalogue = PageOption(
    "--catalogue", "FILE", "the articles", fallback: "Examples/Data/catalogue.json")
  private static let query = PageOption("--query", "TEXT", "what the search begins with")
  let explanation = "On: each keystroke compares every title in one main-actor job. Off: an index, off the main actor."
  let widget: Widget

  private let library = LibraryModel()
  private var service: SwitchedService?
  private(set) var model: SearchModel?
  /// Of the catalogue.
  private let path: String
  /// What the search begins with.
  private let begun: String
  private let entry = gallery_search_entry("Search titles, or @author")
  private let reliability: Widget
  private let spinner = gallery_spinner()
  private let count = gallery_label("", 0)
  private let stack = gallery_stack()
  private let list = gallery_list()
  private let scrolled: Widget
  private let idle: Widget
  private let failed: Widget
  private let retry = gallery_button("Try again")

  var worksOnMain = false {
    didSet { service?.change { $0.isOnMain = worksOnMain } }
  }

  init(_ surroundings: PageSurroundings) {
    path = surroundings.options[Self.catalogue]
    begun = surroundings.options[Self.query]
    reliability = withCStrings(["In memory", "Slow and unreliable"]) { gallery_dropdown($0) }
    idle = gallery_status("system-search-symbolic", "Search", "Opening the catalogue …")
    failed = gallery_status("dialog-warning-symbolic", "Nothing found out", "")
    scrolled = gallery_scrolled(list)
    gallery_stack_add(stack, "idle", "", idle)
    gallery_stack_add(stack, "loading", "", gallery_box(1, 0, 0))
    gallery_stack_add(stack, "loaded", "", scrolled)
    gallery_stack_add(stack, "failed", "", failed)
    gallery_status_child(failed, Box.row().holding(retry.styled("pill")))
    gtk_widget_set_halign(gtk_widget_get_parent(retry), GTK_ALIGN_CENTER)
    gallery_expand(entry, 1, 0)
    gallery_expand(stack, 1, 1)
    gallery_expand(count, 1, 0)
    widget = Box.column(spacing: 8, margin: 12).holding(
      Box.row().holding(entry, reliability), Box.row().holding(spinner, count.styled("dim-label")), stack)
    entry.called("search field")
    reliability.called("service")
    list.called("articles found")
    count.called("number of articles")
    retry.called("try again")
    // Not "search-changed", which waits for a pause in the typing.
    entry.on("changed") { [weak self] in self?.queryChanged() }
    entry.on("activate") { [weak self] in self?.model?.submitSearch() }
    retry.on("clicked") { [weak self] in self?.submit() }
    reliability.on("notify::selected") { [weak self] in
      guard let self else { return }
      service?.change { $0.isUnreliable = gallery_dropdown_choice(self.reliability) == 1 }
    }
  }

  /// Opens the catalogue; the page can be used when it has.
  func open() {
    library.open(CatalogueFile(path: path))
    follow { [weak self] in self?.showLibrary() }
    if !begun.isEmpty { gallery_set_text(entry, begun) }
  }

  func appear() { gallery_focus(entry) }

  private func submit() {
    if model == nil { library.open(CatalogueFile(path: path)) } else { model?.submitSearch() }
  }

  private func queryChanged() {
    model?.queryChanged(String(cString: gallery_text(entry)))
  }

  private func showLibrary() {
    switch library.phase {
    case .closed, .opening:
      gallery_stack_show(stack, "idle")
      gallery_status_say(idle, "Opening the catalogue …")
    case .failed(let error):
      gallery_stack_show(stack, "failed")
      gallery_status_say(failed, "\(error)")
      Trace.note("search", ["phase": "failed", "message": "\(error)"])
    case .open(let catalogue):
      gallery_status_say(idle, "\(catalogue.articles.count.grouped) articles, at every keystroke")
      // Not here: what the new model is asked would count as read by this rendering.
      Task { begin(with: catalogue) }
    }
  }

  private func begin(with catalogue: Catalogue) {
    let service = SwitchedService(catalogue: catalogue)
    service.change { $0.isOnMain = worksOnMain }
    self.service = service
    let model = SearchModel(service: service)
    self.model = model
    Trace.note("library", ["articles": "\(catalogue.articles.count)"])
    // What was typed before the catalogue was there.
    queryChanged()
    follow { [weak self] in self?.show(model.phase) }
  }

  private func show(_ phase: SearchModel.Phase) {
    var trace: [String: String]
    gallery_spinner_spin(spinner, 0)
    switch phase {
    case .idle:
      trace = ["phase": "idle"]
      count.say("")
      gallery_stack_show(stack, "idle")
    case .loading(let query):
      trace = ["phase": "loading", "query": query]
      count.say("Searching for “\(query)” …")
      gallery_spinner_spin(spinner, 1)
      gallery_stack_show(stack, "loading")
    case .loaded(let results):
      trace = ["phase": "loaded", "query": results.query, "total": "\(results.total)"]
      let shown = results.articles.count
      count.say(
        "\(results.total.grouped) articles for “\(results.query)”"
          + (shown < results.total ? ", the first \(shown.grouped) shown" : ""))
      withCStrings(results.articles.map { "\($0.title)\n\($0.author) · \($0.published)" }) {
        gallery_list_show(list, $0)
      }
      gallery_scroll(scrolled, 0)
      gallery_stack_show(stack, "loaded")
    case .failed(let message):
      trace = ["phase": "failed", "message": message]
      count.say("")
      gallery_status_say(failed, message)
      gallery_stack_show(stack, "failed")
    }
    Trace.note("search", trace)
  }

  /// The articles on the screen.
  var found: [Article] { model?.results ?? [] }

  func prepare() async {
    await library.settle()
    while model == nil, case .open = library.phase { await Task.yield() }
  }

  /// Types a query, the next of some.
  func act() async {
    guard let model else { return }
    acts += 1
    gallery_set_text(entry, ["the main", "actors", "café", "slow conv", "concurrency"][acts % 5])
    await model.settle()
  }
  private var acts = 0

  func scrollOn() -> Bool {
    gallery_scroll(scrolled, gallery_scrolled_to(scrolled) + 40)
    return true
  }
}
