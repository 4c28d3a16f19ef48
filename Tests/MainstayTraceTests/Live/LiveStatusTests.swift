import MainstayTrace
import Testing

@Suite("The status line says as much as fits")
struct LiveStatusTests {
  private let status = LiveStatus(
    elapsedSeconds: 12.4, busyShare: 0.314, worstMilliseconds: 82.4, droppedFrames: 8, refreshRateHz: 60)

  @Test(
    "its parts go from what matters least",
    arguments: [
      (80, " 12.4 s   main actor 31 % busy   worst job 82.4 ms   8 frames dropped at 60 Hz"),
      (79, " 12.4 s   main actor 31 % busy   worst job 82.4 ms   8 frames dropped at 60 Hz"),
      (60, " 12.4 s   main 31 % busy   worst 82.4 ms   8 frames dropped"),
      (40, " 12.4 s  31 % busy  82.4 ms  8 dropped"),
      (30, " 12.4 s  31 % busy  82.4 ms"),
      (9, " 12.4 s"), (3, ""), (0, ""),
    ])
  func widths(width: Int, line: String) {
    #expect(status.line(width: width) == line)
  }

  @Test("the last column stays free, whatever the figures", arguments: [40, 60, 80, 200])
  func fits(width: Int) {
    for elapsed in [0, 0.04, 9.96, 59.99, 12_345, 9e6] {
      for (worst, frames) in [(0, 0), (16.7, 1), (250_000, 15_000), (9e9, 999_999_999)] as [(Double, Int)] {
        let line = LiveStatus(
          elapsedSeconds: elapsed, busyShare: 1, worstMilliseconds: worst, droppedFrames: frames, refreshRateHz: 59.9
        ).line(width: width)
        #expect(line.count < width && line.contains("100 % busy"), "\(line)")
      }
    }
  }

  @Test("one frame is one frame, and a rate may be broken")
  func words() {
    var one = status
    one.droppedFrames = 1
    one.refreshRateHz = 59.9
    #expect(one.line(width: 80).hasSuffix("   1 frame dropped at 59.9 Hz"))
    one.elapsedSeconds = 36_000
    #expect(one.line(width: 80).hasPrefix(" 600 min   "))
  }
}
