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

/// It seems to load from the beginning, and nothing waits after the other one is set.
@MainActor
final class LoadingFromTheStart {
  enum State { case loading, ready }
  var state: State = .loading
  var isShowingUpdating = false
  func work() async { await Task.yield() }

  func reload() {
    Task {
      state = .loading
      await work()
      state = .ready
    }
  }

  func show() { Task { await show(true) } }

  private func show(_ isShown: Bool) async {
    isShowingUpdating = true
  }

  func hide() { isShowingUpdating = false }
}

/// What is set for the whole process while a task runs: nobody asks it whether there is work under way.
nonisolated(unsafe) private var isGuarding = false  // only the main actor sets it

@MainActor
final class GuardedSession {
  func work() async { await Task.yield() }

  func start() {
    Task {
      isGuarding = true
      defer { isGuarding = false }
      await work()
    }
  }
}

/// Connected from the beginning: nobody has the object before its task's first job.
@MainActor
final class EagerConnection {
  var isConnecting = false
  func work() async { await Task.yield() }

  init() { Task { await connect() } }

  func connect() async {
    isConnecting = true
    defer { isConnecting = false }
    await work()
  }
}

/// A mark that something is to be rebuilt is none of work under way.
@MainActor
final class Outline {
  private var needsUpdating = false
  private var lines: [String: Int] = [:]
  func fetch() async -> [String] { [] }

  func changed() {
    Task {
      needsUpdating = true
      let names = await fetch()
      for name in names { _ = line(name) }
      needsUpdating = false
    }
  }

  private func line(_ name: String) -> Int {
    if needsUpdating { lines = [:] }
    return lines[name] ?? 0
  }
}
