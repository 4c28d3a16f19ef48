/// The pages that the window has, in the order of the sidebar.

enum PageRegistry {
  static let all: [any Page.Type] = [
    SearchPage.self,
    ThumbnailsPage.self,
    PlaybackPage.self,
    PalettePage.self,
    FeedPage.self,
    WalletWindowPage.self,
  ]

  static var names: [String] { all.map { $0.name } }
}
