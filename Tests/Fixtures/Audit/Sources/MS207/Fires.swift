/// Animations that begin whenever an answer comes.
import SwiftUI

@MainActor
final class Palette {
  var isPulsing = false
  var colours: [Int] = []
  func extract() async -> [Int] {
    await Task.yield()
    return [1]
  }

  func tapped() async {
    let found = await extract()
    withAnimation { isPulsing = false }  // expect: animation_after_await note
    if found.isEmpty { return }
  }

  func startTask() {
    Task {
      _ = await extract()
      withAnimation { isPulsing = true }  // expect: animation_after_await note
    }
  }
}
