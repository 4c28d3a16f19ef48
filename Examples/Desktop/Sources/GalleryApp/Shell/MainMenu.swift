/// What the main menu offers: how the window looks, and what it is.
import CAdwaita

enum MainMenu {
  static func showAbout(over window: Widget) {
    gallery_about(
      window, "Gallery",
      """
      The applications that five articles on Swift's actors describe, with a meter of frames beneath. The switch in the \
      header bar moves a page's work onto the main actor, and the meter shows what that does.
      """)
  }
}

/// Light or dark.
nonisolated enum Style: String {
  case system
  case light
  case dark

  /// What the command line asks for.
  static func chosen(_ name: String?) -> Style { name.flatMap(Style.init) ?? .system }

  @MainActor
  func apply() {
    switch self {
    case .system: gallery_theme(-1)
    case .light: gallery_theme(0)
    case .dark: gallery_theme(1)
    }
    Trace.note("style", ["name": rawValue])
  }
}
