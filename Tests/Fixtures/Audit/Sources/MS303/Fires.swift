/// Contracts with declarations that changed, or are not there.
final class FeedBridge {
  // mainstay:contract Contracts/Feed.kt#Feed.observe 0000000000000000 // expect: contract_changed
  func observe() {}

  // mainstay:contract Contracts/feed.h#feed_lisen 0000000000000000 // expect: contract_changed error
  func listen() {}

  // mainstay:contract Contracts/Nowhere.kt#Feed 0000000000000000 // expect: contract_changed error
  func nowhere() {}

  // mainstay:contract Contracts/Feed.kt#Feed.state // expect: contract_changed note
  func state() {}
}
