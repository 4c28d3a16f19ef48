// 3.1: nor can it capture an object that is not Sendable.
func observe(_ onState: @escaping @Sendable (String) -> Void) {}

final class FeedModel {
  var text = ""
  func subscribe() {
    observe { [weak self] state in
      self?.text = state  // expect: capture of 'self' with non-Sendable type 'FeedModel?' in a '@Sendable' closure
    }
  }
}
