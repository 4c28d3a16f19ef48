/// Whether a frame is queued on the main actor that has not begun.
import Synchronization

final class PendingFrame: Sendable {
  private let isPending = Atomic<Bool>(false)
  @MainActor var isOver = false

  /// False when one is queued already.
  func begin() -> Bool {
    isPending.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
  }

  @MainActor
  func end() {
    isPending.store(false, ordering: .releasing)
  }
}
