// A latest task's operation runs off the main actor and cannot touch its state.
import Mainstay

extension Screen {
  func load(_ latest: LatestTask) {
    latest.start { self.text = "loading" } apply: { _ in }  // expect: main actor-isolated property 'text' can not be mutated from a Sendable closure
  }
}
