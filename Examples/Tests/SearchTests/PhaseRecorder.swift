/// Sees every phase that a model ever had, however short.
import Observation
import Search

/// A screen reads a model once a frame and an `Observations` sequence once a job; a test must not miss what comes and
/// goes between.
@MainActor
final class PhaseRecorder {
  private let model: SearchModel
  private var left: [SearchModel.Phase] = []

  init(_ model: SearchModel) {
    self.model = model
    watch()
  }

  /// The phases in order, the current one last.
  var phases: [SearchModel.Phase] { left + [model.phase] }

  /// Observation calls back before each change, so the model still tells the phase that it leaves.
  private func watch() {
    withObservationTracking {
      _ = model.phase
    } onChange: {
      MainActor.assumeIsolated {
        self.left.append(self.model.phase)
        self.watch()
      }
    }
  }
}
