import Dispatch
import Foundation
import Mainstay
import Testing

/// Three ways in which callbacks come that are on the main actor already, although no type says so: each is asserted, and
/// applied in the same call.
@Suite("A callback that is promised on main")
@MainActor
struct BridgingTests {
  @MainActor final class Model {
    var shown: [String] = []
  }

  /// A class of somebody else's, from before actors: its delegate is called on the main queue.
  nonisolated final class Player: @unchecked Sendable {
    weak var delegate: (any PlayerDelegate)?
    func play() { DispatchQueue.main.async { self.delegate?.playerDidFinish(self) } }
  }

  @MainActor final class Screen: PlayerDelegate {
    let model: Model
    let done: Gate
    nonisolated let finished = AssertedBoundary(
      "player finished", contract: "Player calls its delegate on the main queue")

    init(_ model: Model, _ done: Gate) { (self.model, self.done) = (model, done) }

    nonisolated func playerDidFinish(_ player: Player) {
      // `self` need not be sent anywhere: this is the main actor.
      finished.deliver(self) { screen in
        screen.model.shown.append("finished")
        screen.done.open()
      }
    }
  }

  @Test("from a delegate is applied in the delegate's method")
  func delegate() async {
    let (model, done, player) = (Model(), Gate(), Player())
    let screen = Screen(model, done)
    player.delegate = screen
    player.play()
    await done.wait()
    #expect(model.shown == ["finished"])
    #expect(Boundaries.report().rows.contains { $0.name == "player finished" && $0.onMain == 1 && $0.offMain == 0 })
  }

  @Test("from an observer on the main queue is applied in its block")
  func observer() async {
    let (model, done) = (Model(), Gate())
    let name = Notification.Name("library changed \(UUID().uuidString)")
    let changes = AssertedBoundary("library changed", contract: "the observer was added with queue: .main")
    let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { note in
      changes.deliver(note.object as? String ?? "") { text in
        model.shown.append(text)
        done.open()
      }
    }
    DispatchQueue.global().async { NotificationCenter.default.post(name: name, object: "two songs") }
    await done.wait()
    NotificationCenter.default.removeObserver(token)
    #expect(model.shown == ["two songs"])
  }

  @Test("from a completion handler that is documented to run on the main queue is applied in the handler")
  func completionHandler() async {
    let (model, done) = (Model(), Gate())
    let loaded = AssertedBoundary("picture loaded", contract: "load(completion:) completes on the main queue")
    load { picture in
      loaded.deliver(picture) { picture in
        model.shown.append(picture)
        done.open()
      }
    }
    await done.wait()
    #expect(model.shown == ["a picture"])
  }

  /// Somebody else's: its documentation says where it completes, its type does not.
  nonisolated private func load(completion: @escaping @Sendable (String) -> Void) {
    DispatchQueue.global().async { DispatchQueue.main.async { completion("a picture") } }
  }
}

protocol PlayerDelegate: AnyObject {
  func playerDidFinish(_ player: BridgingTests.Player)
}
