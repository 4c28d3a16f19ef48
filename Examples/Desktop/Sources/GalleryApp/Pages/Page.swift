/// One page of the window. A page is one file beside this one, and one line of ``PageRegistry``.

/// A protocol of the main actor, like everything in this module: a page cannot be used elsewhere.
protocol Page: AnyObject {
  /// What the command line, the sidebar and the trace call it.
  static var name: String { get }
  /// What a person calls it.
  static var title: String { get }
  /// The symbolic icon beside the title.
  static var icon: String { get }
  /// The options of the command line that are the page's own.
  static var options: [PageOption] { get }

  /// Makes the widgets, and reads nothing yet: every page is made before the first frame.
  init(_ surroundings: PageSurroundings)

  /// One line about what the switch does here.
  var explanation: String { get }
  var widget: Widget { get }
  /// Whether the page does its work on the main actor.
  var worksOnMain: Bool { get set }
  /// Who is told of every frame, the page itself most of the time; nil when nobody is.
  var frameListener: (any FrameListener)? { get }

  /// All pages are there: begins to read what this one shows, whether it is on the screen or not.
  func open()
  /// The page has come onto the screen.
  func appear()
  /// The application ends when this returns: what must not be lost is on the disk then.
  func close() async

  /// Returns when the page can be acted on; for measurements.
  func prepare() async
  /// What a person does here again and again; returns when the page shows the outcome. For measurements.
  func act() async
  /// Scrolls as a wheel does, a step a frame; false when the page has nothing long. For measurements.
  func scrollOn() -> Bool
}

/// What a page need not say.
extension Page {
  static var options: [PageOption] { [] }
  var frameListener: (any FrameListener)? { nil }
  func open() {}
  func appear() {}
  func close() async {}
  func prepare() async {}
  func scrollOn() -> Bool { false }
}

extension Page {
  var name: String { Self.name }
  var title: String { Self.title }
}

/// An option of the command line that has a value, and belongs to a page.
struct PageOption {
  /// As it is typed: `--picture`.
  let name: String
  /// What the help calls its value: `FILE`.
  let value: String
  let help: String
  /// The value when the option is not given.
  let fallback: String
  /// Whether an empty value means anything.
  let mayBeEmpty: Bool
  /// What the value must be, when another was given.
  let problem: (String) -> String?

  init(
    _ name: String, _ value: String, _ help: String, fallback: String = "", mayBeEmpty: Bool = false,
    problem: @escaping (String) -> String? = { _ in nil }
  ) {
    self.name = name
    self.value = value
    self.help = help
    self.fallback = fallback
    self.mayBeEmpty = mayBeEmpty
    self.problem = problem
  }
}

/// What a page has around it.
final class PageSurroundings {
  let options: AppOptions
  /// All pages, in the order of the sidebar.
  private(set) var pages: [any Page] = []
  /// The window; nil while the pages are made.
  var window: Widget?
  /// Brings the page of a name onto the screen; nil while the pages are made.
  var show: (@MainActor (String) -> Void)?

  init(_ options: AppOptions) {
    self.options = options
    for type in PageRegistry.all { pages.append(type.init(self)) }
  }

  /// The page of a kind; nil while it is not made.
  func page<Kind: Page>(_ kind: Kind.Type) -> Kind? {
    for page in pages { if let page = page as? Kind { return page } }
    return nil
  }
}
