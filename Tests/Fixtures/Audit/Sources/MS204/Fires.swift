/// Busy flags that are set one hop too late, or cleared too early.
import SwiftUI

@MainActor
final class Form {
  var isBusy = false
  var isSending = false
  var text = ""
  func work() async { await Task.yield() }

  /// Tested by the starter, set inside.
  func tapped() {
    guard !isBusy else { return }
    Task {
      isBusy = true  // expect: late_state
      await work()
      isBusy = false
    }
  }

  /// Not tested at all.
  func send() {
    let draft = text
    text = ""
    Task {
      isSending = true  // expect: late_state
      await work()
      isSending = false
      print(draft)
    }
  }
}

/// Set in the async function that the task awaits first.
@MainActor
final class Submitter {
  var isSubmitting = false
  func work() async { await Task.yield() }

  func tapped() {
    Task { await submit() }
  }

  private func submit() async {
    isSubmitting = true  // expect: late_state
    defer { isSubmitting = false }
    await work()
  }
}

/// Cleared by a `defer` before the task has begun.
@MainActor
final class Uploader {
  var isUploading = false
  func work() async { await Task.yield() }

  func upload() {
    isUploading = true
    defer { isUploading = false }  // expect: late_state
    Task { await work() }
  }
}

/// In a view's button.
struct SaveButton: View {
  @State var isSaving = false
  func save() async { await Task.yield() }

  var body: some View {
    Button("Save") {
      Task {
        isSaving = true  // expect: late_state
        await save()
        isSaving = false
      }
    }
  }
}

/// A phase instead of a flag.
@MainActor
final class Loader {
  enum Phase { case idle, loading, loaded }
  var phase = Phase.idle
  func work() async { await Task.yield() }

  func start() {
    Task {
      phase = .loading  // expect: late_state
      await work()
      phase = .loaded
    }
  }
}

/// An object that others have.
@MainActor
final class Download {
  var isRunning = false
  func run() { isRunning = true }  // expect: late_state
  func end() { isRunning = false }
}

@MainActor
final class Downloads {
  let current = Download()
  func note() async { await Task.yield() }

  func tapped() { Task { await begin() } }

  private func begin() async {
    current.run()
    await note()
    current.end()
  }
}
