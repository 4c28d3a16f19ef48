/// Animated in the job of the tap.
import SwiftUI

@MainActor
final class PromptPalette {
  var isPulsing = false
  var colours: [Int] = []
  func extract() async -> [Int] {
    await Task.yield()
    return [1]
  }

  func tapped() async {
    withAnimation { isPulsing = true }
    colours.append(contentsOf: await extract())
  }
}
