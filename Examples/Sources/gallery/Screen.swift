/// A screen of text: draws what the model shows, once a frame.
import Catalogue
import Foundation
import Mainstay
import Search

/// Reads the model at the rate of a display, on the main actor as a display would. A phase that comes and goes between
/// two frames was never shown.
@MainActor
final class Screen {
  private let model: SearchModel
  private let console: Console?
  private let frame: Duration
  private var shown = SearchModel.Phase.idle
  private var drawing: Task<Void, Never>?

  /// - Parameter console: `nil` for a screen that is dark.
  init(of model: SearchModel, on console: Console?, budget: FrameBudget = .hz60) {
    self.model = model
    self.console = console
    frame = budget.interval
  }

  func start() {
    drawing?.cancel()
    drawing = Task { [weak self, frame] in
      while (try? await Task.sleep(for: frame)) != nil {
        self?.draw()
      }
    }
  }

  func stop() {
    drawing?.cancel()
    drawing = nil
  }

  /// Draws the phase if it changed since the frame before.
  func draw() {
    guard model.phase != shown else { return }
    shown = model.phase
    console?.note(line(for: shown))
  }

  nonisolated private func line(for phase: SearchModel.Phase) -> String {
    switch phase {
    case .idle: "idle"
    case .loading(let query): "loading  \"\(query)\""
    case .loaded(let results): "loaded   \"\(results.query)\": \(results.total) articles"
    case .failed(let message): "failed   \(message)"
    }
  }
}
