import CMainstayTrace
import Foundation
import Testing

@testable import MainstayTrace

@Suite("A recording is followed while it is written")
struct LiveRecordingTests {
  /// Two ticks are a nanosecond; the program runs since one second.
  private static let now = mainstay_clock(ticks: RecordingWriter.start + 2_000_000_000, nanoseconds: 1_005_000_000)

  /// A writer with a function on the main actor and one elsewhere, and room for `blocks` blocks.
  private static func writer() -> (RecordingWriter, main: UInt16, other: UInt16) {
    var writer = RecordingWriter()
    writer.header.state = MAINSTAY_STATE_RECORDING.rawValue
    let main = writer.addFunction(0x1000, type: 1)
    let other = writer.addFunction(0x2000, type: 0)
    return (writer, main, other)
  }

  private static func step(_ live: LiveRecording) throws -> LiveStatus {
    let status = live.status(at: now)
    return try #require(status)
  }

  /// As large from the start as it will be, as a real one is.
  private static func file(_ writer: RecordingWriter) throws -> TemporaryFile {
    try TemporaryFile(writer.bytes() + Data(count: 1 << 16))
  }

  private static func rewrite(_ writer: RecordingWriter, _ file: TemporaryFile) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: file.path))
    try handle.write(contentsOf: writer.bytes())
    try handle.close()
  }

  private static func ticks(_ milliseconds: Double) -> UInt64 { RecordingWriter.ticks(milliseconds: milliseconds) }

  @Test("what threads have run on the main actor is added up, the longest of it is the worst, and records are not read")
  func sums() throws {
    var (writer, main, _) = Self.writer()
    // Of a thread that has ended, whose slot is free, what it ran still counts.
    writer.threads = [mainstay_thread(), mainstay_thread()]
    writer.threads[0].tid = 1
    writer.threads[0].main_ticks = Self.ticks(250)
    writer.threads[0].main_worst = UInt32(Self.ticks(100))
    writer.threads[1].main_ticks = Self.ticks(125)
    writer.threads[1].main_worst = UInt32(Self.ticks(60))
    writer.addBlock([RecordingWriter.stretch(function: main, at: 0, length: Self.ticks(900))])
    let file = try Self.file(writer)
    let live = try #require(LiveRecording(path: file.path))
    for _ in 0..<2 {
      let status = try Self.step(live)
      #expect(abs(status.busyShare - 0.375) < 1e-6)
      #expect(abs(status.worstMilliseconds - 100) < 1e-3)
      #expect(abs(status.elapsedSeconds - 1) < 1e-6)
    }
    writer.threads[0].main_ticks = Self.ticks(500)
    try Self.rewrite(writer, file)
    let share = try Self.step(live).busyShare
    #expect(abs(share - 0.625) < 1e-6)
  }

  @Test("what hangs is shown while it hangs, without the time in which the process was stopped")
  func open() throws {
    var (writer, main, other) = Self.writer()
    var thread = mainstay_thread()
    thread.tid = 1
    thread.function = main
    thread.start = RecordingWriter.start + Self.ticks(500)
    thread.whole = thread.start
    var elsewhere = thread
    elsewhere.tid = 2
    elsewhere.function = other
    elsewhere.start = RecordingWriter.start
    writer.threads = [thread, elsewhere]
    var stall = mainstay_stall()
    stall.start = RecordingWriter.start + 1
    stall.length = Self.ticks(40)
    writer.stalls = [stall, mainstay_stall()]
    var file = try Self.file(writer)
    var live = try #require(LiveRecording(path: file.path))
    var status = try Self.step(live)
    #expect(abs(status.worstMilliseconds - 500) < 1e-3)
    #expect(abs(status.busyShare - 0.5) < 1e-6)
    #expect(status.droppedFrames == 2 + 29)  // of 40 ms and of 500 ms

    writer.gaps = [
      mainstay_gap(start: RecordingWriter.start + Self.ticks(600), end: RecordingWriter.start + Self.ticks(900))
    ]
    writer.header.next_gap = 1
    file = try Self.file(writer)
    live = try #require(LiveRecording(path: file.path))
    status = try Self.step(live)
    #expect(abs(status.worstMilliseconds - 200) < 1e-3)
    #expect(status.droppedFrames == 2 + 11)
  }

  @Test("a file that is no recording, is not ready or lies is not followed, and harms nothing")
  func damaged() throws {
    #expect(LiveRecording(path: "/nowhere/recording") == nil)
    for bytes in [Data(), Data("MAINSTAY".utf8), Data(count: 10_000)] {
      #expect(LiveRecording(path: try TemporaryFile(bytes).path) == nil)
    }
    var (writer, main, _) = Self.writer()
    writer.addBlock([RecordingWriter.stretch(function: main, at: 0, length: 7)])
    writer.header.next_block = .max
    writer.threads = [mainstay_thread()]
    writer.threads[0].block = .max
    writer.threads[0].used = .max
    let whole = writer.bytes()
    var preparing = writer
    preparing.header.state = MAINSTAY_STATE_PREPARING.rawValue
    #expect(LiveRecording(path: try preparing.write().path) == nil)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      for _ in 0..<4 { bytes[Int.random(in: 16..<1000, using: &random)] = UInt8.random(in: 0...255, using: &random) }
      let file = try TemporaryFile(bytes.prefix(Int.random(in: 8...bytes.count, using: &random)))
      let live = LiveRecording(path: file.path)
      for _ in 0..<3 { _ = live?.status()?.line(width: 80) }
    }
  }
}
