// 3.2: the boundaries take what their contracts allow, with no warning.
import Mainstay

extension Screen {
  func receive(_ boundary: AssertedBoundary, _ state: ForeignState) {
    boundary.deliver(state) { self.text = $0.text }
  }

  func hop() -> HoppingBoundary<String> {
    HoppingBoundary("text", delivery: .latest) { [weak self] in self?.text = $0 }
  }
}
