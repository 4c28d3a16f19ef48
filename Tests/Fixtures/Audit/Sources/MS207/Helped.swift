/// The animation stands in a helper, or in what is put off.
import SwiftUI

@MainActor
final class Panel {
  var isOpen = false
  func load() async { await Task.yield() }
  private func close() { withAnimation { isOpen = false } }

  func finish() async {
    await load()
    close()  // expect: animation_after_await note
  }
  func finishLast() async {
    defer { withAnimation { isOpen = false } }  // expect: animation_after_await note
    await load()
  }
  func begin() async {
    close()
    await load()
  }
}
