/// Contracts that hold.
final class PinnedBridge {
  // mainstay:contract Contracts/Feed.kt#Feed.observe
  func observe() {}

  // mainstay:contract Contracts/feed.h#feed_listen
  func listen() {}

  // mainstay:contract Contracts/feed.h#FEED_MAIN_THREAD
  func main() {}
}
