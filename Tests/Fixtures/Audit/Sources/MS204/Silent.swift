/// Flags set before the task starts, or tested where they are set.
import SwiftUI

@MainActor
final class GoodForm {
  var isBusy = false
  var hasAppeared = false
  func work() async { await Task.yield() }

  func tapped() {
    guard !isBusy else { return }
    isBusy = true
    Task {
      await work()
      isBusy = false
    }
  }

  /// An async function sets it in the job that its caller started.
  func submit() async {
    guard !isBusy else { return }
    isBusy = true
    defer { isBusy = false }
    await work()
  }

  /// Tested and set in one job of the task.
  func start() {
    Task {
      guard !isBusy else { return }
      isBusy = true
      await work()
      isBusy = false
    }
  }

  /// Set after the work: no busy flag.
  func appear() {
    Task {
      await work()
      hasAppeared = true
    }
  }
}
