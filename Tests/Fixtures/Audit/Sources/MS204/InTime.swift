/// The same forms in time.
import SwiftUI

@MainActor
final class PunctualImporter {
  enum Phase { case idle, working, done }
  var isImporting = false
  var phase = Phase.idle
  var wasShown = false
  private var task: Task<Void, Never>?
  func work() async { await Task.yield() }

  func start() {
    guard task == nil else { return }
    isImporting = true
    task = Task { [weak self] in
      await self?.work()
      self?.isImporting = false
      self?.task = nil
    }
  }

  func startPhase() {
    guard phase == .idle else { return }
    phase = .working
    Task {
      await work()
      phase = .done
    }
  }

  private func set(_ value: Bool) { isImporting = value }
  func startThroughSetter() {
    guard !isImporting else { return }
    set(true)
    Task {
      defer { set(false) }
      await work()
    }
  }

  /// The task itself asks first.
  func startAsking() {
    Task {
      if isImporting { return }
      isImporting = true
      defer { isImporting = false }
      await work()
    }
  }

  /// Set once, and about nothing that the task does.
  func show() {
    Task {
      wasShown = true
      await work()
    }
  }

  /// An async function that its caller awaits.
  func run() async {
    isImporting = true
    defer { isImporting = false }
    await work()
  }
}
