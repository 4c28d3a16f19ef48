/// Work under way that is marked by an entry of a set, and flags of a view that are private.
import SwiftUI

@MainActor
final class Marked {
  private var running: Set<String> = []
  private var seen: Set<String> = []
  func work() async { await Task.yield() }

  func start(_ id: String) {
    guard !running.contains(id) else { return }
    Task {
      running.insert(id)  // expect: late_state
      await work()
      running.remove(id)
    }
  }

  func startInTime(_ id: String) {
    guard running.insert(id).inserted else { return }
    Task {
      await work()
      running.remove(id)
    }
  }

  /// What is only ever noted is no work under way.
  func note(_ id: String) {
    guard !seen.contains(id) else { return }
    Task {
      seen.insert(id)
      await work()
    }
  }
}

struct PrivateButton: View {
  @State private var isSaving = false
  @State private var isSending = false
  func work() async { await Task.yield() }

  var body: some View {
    VStack {
      Button("save") { Task { await save() } }
      Button("send") {
        guard !isSending else { return }
        isSending = true
        Task {
          await work()
          isSending = false
        }
      }
    }
  }

  private func save() async {
    isSaving = true  // expect: late_state
    await work()
    isSaving = false
  }
}
