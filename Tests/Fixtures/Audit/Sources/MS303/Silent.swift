/// Contracts that hold.
final class PinnedBridge {
  // mainstay:contract Contracts/Feed.kt#Feed.observe bb7d88b4cc7668f3
  func observe() {}

  // mainstay:contract Contracts/feed.h#feed_listen 0ccd05425fc6556a
  func listen() {}

  // mainstay:contract Contracts/feed.h#FEED_MAIN_THREAD 8ed8c406fbecdef2
  func main() {}
}
