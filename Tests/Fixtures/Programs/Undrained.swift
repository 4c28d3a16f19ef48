import Foundation

/// A program whose main thread belongs to a loop that never drains the main queue, as a toolkit's does without a pump.
@MainActor
final class Window {
  private var title = ""
  func show(_ text: String) { title = text }
}

let window = MainActor.assumeIsolated { Window() }
for number in 0..<30 { Task { @MainActor in window.show("\(number)") } }
// The toolkit's loop.
for _ in 0..<40 { Thread.sleep(forTimeInterval: 0.01) }
print("the loop is over")
