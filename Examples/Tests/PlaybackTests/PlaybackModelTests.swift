import Observation
import Playback
import Testing

@MainActor
@Suite("The playback model", .timeLimit(.minutes(30)))
struct PlaybackModelTests {
  /// Collects until the last of them has come.
  private func record(_ model: PlaybackModel, until last: Int, into seen: Seen) -> Task<Void, Never> {
    let positions = model.positions()
    return Task {
      for await position in positions {
        seen.append(position)
        if position == last { break }
      }
    }
  }

  /// What was seen, and someone who waits for it.
  @MainActor
  private final class Seen {
    private(set) var positions: [Int] = []
    private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    func append(_ position: Int) {
      positions.append(position)
      if let waiting, positions.count >= waiting.count {
        self.waiting = nil
        waiting.continuation.resume()
      }
    }

    func wait(for count: Int) async {
      guard positions.count < count else { return }
      await withCheckedContinuation { waiting = (count, $0) }
    }
  }

  @Test("positions that change one after the other are observed as 0, 1, 2, 3 exactly")
  func exact() async {
    let model = PlaybackModel()
    let seen = Seen()
    let recording = record(model, until: 3, into: seen)
    for count in 1...3 {
      await seen.wait(for: count)
      model.advance()
    }
    await recording.value
    #expect(seen.positions == [0, 1, 2, 3])
  }

  @Test("three changes in one job are observed as one")
  func transactional() async {
    let model = PlaybackModel()
    let seen = Seen()
    let recording = record(model, until: 3, into: seen)
    await seen.wait(for: 1)
    model.advance()
    model.advance()
    model.advance()
    await recording.value
    #expect(seen.positions == [0, 3])
  }

  @Test("plays until it is paused, and pauses itself at the end")
  func plays() async {
    let model = PlaybackModel(position: PlaybackModel.end - 1)
    model.play()
    #expect(model.isPlaying)
    model.advance()
    #expect(model.position == PlaybackModel.end && !model.isPlaying)
    model.play()
    #expect(model.position == 0 && model.isPlaying, "from the end it begins anew")
    model.pause()
    #expect(!model.isPlaying)
  }

  @Test("a position out of range becomes the nearest in it")
  func range() {
    let model = PlaybackModel(position: 1_000_000)
    #expect(model.position == PlaybackModel.end)
    model.seek(to: -5)
    #expect(model.position == 0)
  }
}
