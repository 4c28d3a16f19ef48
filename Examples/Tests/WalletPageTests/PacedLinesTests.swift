import Testing
import WalletPage

@Suite("Lines that come frame by frame")
struct PacedLinesTests {
  /// Lines from one number down to another, the newest first.
  private func lines(_ newest: Int, downTo oldest: Int) -> [Int] { Array((oldest...newest).reversed()) }

  /// The lists of the frames that it takes to get from one to another.
  private func frames(from shown: [Int], to newest: [Int]) -> [[Int]] {
    var frames = [shown]
    while let last = frames.last, last != newest, frames.count < 100 {
      frames.append(PacedLines.next(after: last, towards: newest, atMost: 2))
    }
    return frames
  }

  @Test("what is there when the list is empty comes at once")
  func first() {
    #expect(frames(from: [], to: lines(100, downTo: 1)).count == 2)
  }

  @Test("a line comes with the next frame, and what has no room any longer goes with the same")
  func one() {
    #expect(
      frames(from: lines(100, downTo: 1), to: lines(101, downTo: 2)) == [lines(100, downTo: 1), lines(101, downTo: 2)])
  }

  @Test(
    "however many come at once, each frame brings two in their order, none makes the list shorter, and the last has all",
    arguments: [3, 4, 40, 99, 100, 101, 1000])
  func many(count: Int) {
    let frames = frames(from: lines(100, downTo: 1), to: lines(100 + count, downTo: 1 + count))
    #expect(frames.last == lines(100 + count, downTo: 1 + count))
    #expect(frames.count == 1 + (min(count, 100) + 1) / 2)
    for (older, newer) in zip(frames, frames.dropFirst()) {
      #expect(newer.count == 100)
      #expect(Set(newer).subtracting(older).count <= 2)
      #expect(newer == newer.sorted(by: >))
    }
  }

  @Test("a list that is not full grows until it is")
  func growing() {
    let frames = frames(from: lines(3, downTo: 1), to: lines(9, downTo: 1))
    #expect(frames.map(\.count) == [3, 5, 7, 9])
  }

  @Test("a line that another process wrote among older ones comes without a newer one")
  func between() {
    #expect(frames(from: [5, 3, 1], to: [5, 4, 3, 1]).count == 2)
  }

  @Test("lines that go on coming faster than frames do are shown as far as frames can")
  func endless() {
    var shown = lines(100, downTo: 1)
    for frame in 1...60 {
      let newest = lines(100 + 20 * frame, downTo: 1 + 20 * frame)
      let next = PacedLines.next(after: shown, towards: newest, atMost: 2)
      #expect(next.count == 100 && next.first != shown.first)
      shown = next
    }
    #expect(frames(from: shown, to: lines(1300, downTo: 1201)).last == lines(1300, downTo: 1201))
  }
}
