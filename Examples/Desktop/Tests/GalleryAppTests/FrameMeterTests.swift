import Mainstay
import Testing

@testable import GalleryApp

@Suite("The frames that the meter counts as missed")
struct FrameMeterTests {
  @Test(
    "are those that fell due between two frames; one that is a little late is not missed",
    arguments: [
      (0.5, 0), (1.0, 0), (1.05, 0), (1.49, 0), (1.51, 1), (2.05, 1), (2.2, 2), (4.8, 4), (60.0, 59),
    ])
  func missed(intervals: Double, missed: Int) {
    #expect(FrameMeter.missed(between: FrameBudget.hz60.interval * intervals, at: .hz60) == missed)
  }

  @Test("are no fewer than the formula foresees for the job that lies between them, from one and a half frames on")
  func foreseen() {
    // The job begins with a frame and ends with the next: there is no less time between the two.
    for tenths in 16...400 where tenths % 10 != 1 {
      let length = FrameBudget.hz60.interval * tenths / 10
      #expect(
        FrameMeter.missed(between: length, at: .hz60) >= FrameBudget.hz60.droppedFrames(for: length), "\(tenths)")
    }
  }
}
