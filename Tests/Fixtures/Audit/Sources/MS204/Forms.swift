/// The forms of a busy flag that comes too late: where it is kept, and how it is set.
import SwiftUI

@MainActor
final class Importer {
  var isImporting = false
  var count = 0
  enum Phase { case idle, working, done }
  var phase = Phase.idle
  private var task: Task<Void, Never>?
  func work() async { await Task.yield() }

  /// Weakly captured.
  func start() {
    Task { [weak self] in
      guard let self else { return }
      self.isImporting = true  // expect: late_state
      await self.work()
      self.isImporting = false
    }
  }

  /// In a task that is kept.
  func startKept() {
    task = Task {
      isImporting = true  // expect: late_state
      defer { isImporting = false }
      await work()
    }
  }

  /// Through a function that sets it.
  func startThroughSetter() {
    guard !isImporting else { return }
    Task {
      set(true)  // expect: late_state
      await work()
      set(false)
    }
  }
  private func set(_ value: Bool) { isImporting = value }

  /// With `toggle`.
  func startToggling() {
    if isImporting { return }
    Task {
      isImporting.toggle()  // expect: late_state
      await work()
      isImporting.toggle()
    }
  }

  /// A phase that the starter tests.
  func startPhase() {
    guard phase == .idle else { return }
    Task {
      phase = .working  // expect: late_state
      await work()
      phase = .done
    }
  }

  /// Cleared right after the task was started.
  func clearedTooEarly() {
    isImporting = true
    Task { await work() }
    isImporting = false  // expect: late_state
  }
}

/// The flag lives in a model that the view holds.
struct ImportButton: View {
  let model: Importer
  var body: some View {
    Button("Import") {
      Task {
        model.isImporting = true  // expect: late_state
        await model.work()
        model.isImporting = false
      }
    }
  }
}

/// From outside the main actor's class, by a task that says where it runs.
@MainActor
final class Saver {
  var isSaving = false
  func save() async { await Task.yield() }
  func tapped() {
    guard !isSaving else { return }
    Task { @MainActor in
      isSaving = true  // expect: late_state
      await save()
      isSaving = false
    }
  }

  /// A detached task that comes back to set it.
  func tappedDetached() {
    guard !isSaving else { return }
    Task.detached {
      await self.setSaving(true)  // expect: late_state
      await self.save()
      await self.setSaving(false)
    }
  }
  private func setSaving(_ value: Bool) { isSaving = value }
}

/// On an actor of one's own.
actor Uploads {
  var isUploading = false
  func upload() async {}
  func start() {
    guard !isUploading else { return }
    Task {
      isUploading = true  // expect: late_state
      await upload()
      isUploading = false
    }
  }
}
