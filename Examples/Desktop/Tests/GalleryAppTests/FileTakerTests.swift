import Foundation
import GTKFiles
import Testing

@testable import GalleryApp

/// The `@preconcurrency` conformance: a delegate of no isolation, whose implementation is on the main actor.
@Suite("Files from GTK")
struct FileTakerTests {
  @Test("are taken in the call, on the main actor")
  @MainActor
  func onMain() {
    var taken: [String] = []
    let receiver: any FileReceiver = FileTaker { taken.append($0) }
    receiver.receive(path: "a.png")
    #expect(taken == ["a.png"])
  }

  @Test("end the program at the conformance when they come from another thread, before anything is touched")
  func elsewhere() async {
    await #expect(processExitsWith: .failure) {
      let receiver = await MainActor.run { Unchecked(FileTaker { _ in exit(0) }) }
      // A thread of its own, as a library's that breaks the contract.
      Thread.detachNewThread { receiver.value.receive(path: "a.png") }
      while true { sleep(1) }
    }
  }

  private struct Unchecked: @unchecked Sendable {
    let value: any FileReceiver
    init(_ value: any FileReceiver) { self.value = value }
  }
}
