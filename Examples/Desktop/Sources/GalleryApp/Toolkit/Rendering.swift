/// Widgets that follow observable state.
import Observation

/// Renders now, and again after every job that changed something of what was read.
///
/// Several changes in one job are one rendering. It runs in the job after, which comes before the next frame: the main
/// actor is served at a higher priority than drawing.
func follow(_ render: @escaping @MainActor () -> Void) {
  withObservationTracking {
    render()
  } onChange: {
    Task { @MainActor in follow(render) }
  }
}
