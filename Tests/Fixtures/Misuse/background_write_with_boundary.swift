// 3.7: with a boundary at the edge the model stays on the main actor, and a background write stays an error.
import Mainstay

extension Screen {
  func receive(_ boundary: AssertedBoundary, _ state: ForeignState) {
    boundary.deliver(state) { self.text = $0.text }
  }
}

func misuse(_ screen: Screen) {
  Task.detached { screen.text = "from the background" }  // expect: main actor-isolated property 'text' can not be mutated
}
