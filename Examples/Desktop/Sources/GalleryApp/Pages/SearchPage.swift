/// Searches 52,000 articles at every keystroke.
import CAdwaita
import Catalogue
import Foundation
import Search

final class SearchPage: Page {
  static let name = "search"
  static let title = "Search"
  static let icon = "system-search-symbolic"
  static let options = [catalogue, query, server]
  private static let catalogue = PageOption(
    "--catalogue", "FILE", "the articles", fallback: "Examples/Data/catalogue.json")
  private static let query = PageOption("--query", "TEXT", "what the search begins with", mayBeEmpty: true)
  private static let server = PageOption("--server", "URL", "a server to search, GET URL/search?q=…") { address in
    HTTPArticleService.address(address) == nil ? "an address such as http://127.0.0.1:8080" : nil
  }
  let explanation = "On: each keystroke compares every title in one main-actor job. Off: an index, off the main actor."
  let widget: Widget

  private let library = LibraryModel()
  private var service: SwitchedService?
  /// Those of the articles found that have no row yet.
  private var unlisted: ArraySlice<Article> = []
  private(set) var model: SearchModel?
  /// Of the catalogue.
  private let path: String
  /// What the search begins with.
  private let begun: String
  private let entry = gallery_search_entry("Search titles, or @author")
  private let remote: HTTPArticleService?
  /// Whom the page can ask, and the choice among them.
  private let sources: [SwitchedService.Source]
  private let choice: Widget
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
    let remote = HTTPArticleService.address(surroundings.options[Self.server]).map { HTTPArticleService(server: $0) }
    self.remote = remote
    sources = SwitchedService.Source.allCases.filter { $0 != .server || remote != nil }
    choice = withCStrings(sources.map(\.title)) { gallery_dropdown($0) }
    if let place = sources.firstIndex(of: .server) { gallery_dropdown_choose(choice, UInt32(place)) }
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
      Box.row().holding(entry, choice), Box.row().holding(count.styled("dim-label"), spinner), stack)
    entry.called("search field")
    choice.called("service")
    list.called("articles found")
    count.called("number of articles")
    retry.called("try again to search")
    // Not "search-changed", which waits for a pause in the typing.
    entry.on("changed") { [weak self] in self?.queryChanged() }
    entry.on("activate") { [weak self] in self?.model?.submitSearch() }
    retry.on("clicked") { [weak self] in self?.submit() }
    choice.on("notify::selected") { [weak self] in self?.chose() }
  }

  /// Opens the catalogue; the page can be used when it has.
  func open() {
    library.open(CatalogueFile(path: path))
    follow { [weak self] in self?.showLibrary() }
    if !begun.isEmpty { gallery_set_text(entry, begun) }
  }

  func appear() { gallery_focus(entry) }

  var frameListener: (any FrameListener)? { self }

  private func submit() {
    // The button goes away, and what has the keys then would be somewhere else.
    gallery_focus(entry)
    if model == nil { library.open(CatalogueFile(path: path)) } else { model?.submitSearch() }
  }

  private func chose() {
    let source = sources[Int(gallery_dropdown_choice(choice))]
    service?.change { $0.source = source }
    Trace.note("service", ["name": source.title])
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
    let service = SwitchedService(catalogue: catalogue, server: remote)
    service.change { $0.isOnMain = worksOnMain }
    self.service = service
    chose()
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
      list(results.articles)
      gallery_stack_show(stack, "loaded")
    case .failed(let message):
      trace = ["phase": "failed", "message": message]
      count.say("")
      gallery_status_say(failed, message)
      gallery_stack_show(stack, "failed")
    }
    Trace.note("search", trace)
  }

  /// Lists articles in place of those before: the first now, which fill a window, and more at every frame while they are
  /// near what is seen. A row costs a fifth of a millisecond to make and to lay out, so a thousand at once would be ten
  /// frames.
  private func list(_ articles: [Article]) {
    unlisted = articles[...]
    listMore(Self.first, removing: gallery_list_count(list))
    gallery_scroll(scrolled, 0)
  }

  /// The rows that are made at once, and those of a frame.
  private static let first = 14
  private static let perFrame = 6

  private func listMore(_ count: Int, removing removed: UInt32 = 0) {
    let articles = unlisted.prefix(count)
    unlisted = unlisted.dropFirst(count)
    withCStrings(articles.map { "\($0.title)\n\($0.author) · \($0.published)" }) {
      gallery_list_splice(list, removed > 0 ? 0 : gallery_list_count(list), removed, $0)
    }
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

extension SearchPage: @MainActor FrameListener {
  /// Lists more when what is seen comes near the end of the list.
  func frameBegan(at time: Int64, interval: Int64) {
    guard !unlisted.isEmpty, gtk_widget_get_mapped(list) != 0, gallery_scrolled_left(scrolled) < 2 else { return }
    listMore(Self.perFrame)
  }
}
