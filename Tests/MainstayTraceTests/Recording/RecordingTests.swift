import CMainstayTrace
import Foundation
import Testing

@testable import MainstayTrace

@Suite("A recording")
struct RecordingTests {
  private func stretches(_ recording: Recording, inOrder: Bool = false) -> [Stretch] {
    var found: [Stretch] = []
    let take: (BlockReader.Record) -> Void = { if case .stretch(let stretch) = $0 { found.append(stretch) } }
    if inOrder { recording.forEachRecordInOrder(take) } else { recording.forEachRecord(take) }
    return found
  }

  @Test("gives back every field of a stretch and of an event")
  func fields() throws {
    var writer = RecordingWriter()
    let type = writer.addType("Store", MAINSTAY_EXECUTOR_ACTOR, instances: 3)
    let function = writer.addFunction(0x1234, type: type)
    writer.executors.append(mainstay_executor())
    writer.addBlock(
      [
        RecordingWriter.stretch(
          MAINSTAY_KIND_INLINE, end: MAINSTAY_END_GROUP, function: function, task: 0xffff_fffe, at: (1 << 47) + 5,
          length: 77, wait: 88, executor: 1, priority: 0x21),
        RecordingWriter.event(
          MAINSTAY_KIND_CREATED, task: 9, at: 12, origin: 0xfffe, priority: 0x19, value: 0x1234_5678_9abc_def0),
        RecordingWriter.stretch(MAINSTAY_KIND_BLOCK, end: MAINSTAY_END_RETURNED, function: function, at: 1, length: 2),
      ], thread: 321, taskHigh: 7)
    let file = try writer.write()
    let recording = try Recording(path: file.path)
    #expect(recording.processIdentifier == 4711)
    #expect(recording.isFinished)
    #expect(recording.executorTypes.map(\.name) == ["pool", "MainActor", "Store"])
    #expect(recording.executorTypes[type].instances == 3)
    #expect(recording.functions[Int(function)].address == 0x1234)
    #expect(recording.functions[Int(function)].executorType == type)
    let found = stretches(recording)
    #expect(found.count == 2)
    #expect(found[0].start == RecordingWriter.start + (1 << 47) + 5)
    #expect(found[0].length == 77)
    #expect(found[0].wait == 88)
    #expect(found[0].task == 0x7_ffff_fffe)
    #expect(found[0].function == Int(function))
    #expect(found[0].executor == 1)
    #expect(found[0].kind == MAINSTAY_KIND_INLINE)
    #expect(found[0].end == MAINSTAY_END_GROUP)
    #expect(found[0].priority == 0x21)
    #expect(found[0].thread == 321)
    #expect(found[1].wait == nil)
    #expect(found[1].kind == MAINSTAY_KIND_BLOCK)
    var events: [TaskEvent] = []
    recording.forEachRecord { if case .event(let event) = $0 { events.append(event) } }
    #expect(events.count == 1)
    #expect(events[0].task == 0x7_0000_0009)
    #expect(events[0].time == RecordingWriter.start + 12)
    #expect(events[0].origin == 0xfffe)
    #expect(events[0].priority == 0x19)
    #expect(events[0].value == 0x1234_5678_9abc_def0)
  }

  @Test("takes the whole id of the next record's task from a record in front of it, and only of that one")
  func wholeTask() throws {
    var writer = RecordingWriter()
    let function = writer.addFunction(1, type: 0)
    writer.addBlock(
      [
        RecordingWriter.event(MAINSTAY_KIND_TASK, task: 5, value: 0x9_0000_0005),
        RecordingWriter.stretch(function: function, task: 5, at: 0, length: 1),
        RecordingWriter.stretch(function: function, task: 6, at: 1, length: 1),
      ], taskHigh: 1)
    let file = try writer.write()
    #expect(stretches(try Recording(path: file.path)).map(\.task) == [0x9_0000_0005, 0x1_0000_0006])
  }

  @Test("gives the records of several threads in the order in which they ended")
  func order() throws {
    var writer = RecordingWriter()
    let function = writer.addFunction(1, type: 0)
    func block(_ times: [UInt64]) -> [mainstay_record] {
      times.map { RecordingWriter.stretch(function: function, task: UInt32($0), at: $0, length: 3) }
    }
    // The blocks of a thread are in the order of their sequence, wherever they lie.
    writer.addBlock(block([40, 44]), thread: 1, sequence: 6)
    writer.addBlock(block([1, 9, 30]), thread: 1, sequence: 2)
    writer.addBlock(block([2, 3, 35, 50]), thread: 2, sequence: 3)
    writer.addBlock(block([10, 20]), thread: 3, sequence: 9)
    let file = try writer.write()
    let recording = try Recording(path: file.path)
    let found = stretches(recording, inOrder: true).map { $0.start - RecordingWriter.start }
    #expect(found == [1, 2, 3, 9, 10, 20, 30, 35, 40, 44, 50])
  }

  @Test("counts the records of a block that is being written as its thread says, and skips what was folded already")
  func blocksInUse() throws {
    var writer = RecordingWriter()
    let function = writer.addFunction(1, type: 0)
    let records = (0..<10).map { RecordingWriter.stretch(function: function, task: $0, at: UInt64($0), length: 1) }
    writer.addBlock(records, state: MAINSTAY_BLOCK_ACTIVE)
    writer.addBlock(records, state: MAINSTAY_BLOCK_FREE)
    writer.addBlock(records, state: MAINSTAY_BLOCK_FOLDING, folded: 8)
    writer.addBlock(records, state: MAINSTAY_BLOCK_ACTIVE)  // nobody's: whoever wrote it is gone
    var thread = mainstay_thread()
    thread.tid = 1
    thread.block = 1
    thread.used = 4
    writer.threads = [thread]
    let file = try writer.write()
    let found = stretches(try Recording(path: file.path))
    #expect(found.map(\.task) == [0, 1, 2, 3, 8, 9])
  }

  @Test("passes over records of kinds that it does not know, and bounds what points outside its tables")
  func unknown() throws {
    var writer = RecordingWriter()
    let function = writer.addFunction(1, type: 999)
    writer.addBlock([
      RecordingWriter.stretch(mainstay_kind(rawValue: 15), function: function, at: 1, length: 1),
      RecordingWriter.stretch(function: 60_000, at: 2, length: 1, executor: 60_000),
    ])
    let file = try writer.write()
    let recording = try Recording(path: file.path)
    let found = stretches(recording)
    #expect(found.count == 1)
    #expect(found[0].function == 0 && found[0].executor == 0)
    #expect(recording.functions[Int(function)].executorType == 0)
  }

  @Test("without an end is measured to the moment that was noted for it, or to now")
  func withoutEnd() throws {
    var writer = RecordingWriter()
    writer.header.state = MAINSTAY_STATE_RECORDING.rawValue
    let noted = try writer.write()
    let recording = try Recording(path: noted.path)
    #expect(!recording.isFinished)
    #expect(abs(recording.clock.seconds(2_000_000_000) - 1) < 1e-9)
    writer.header.started = mainstay_clock(
      ticks: mainstay_ticks() - 2_000_000_000, nanoseconds: monotonicNanoseconds() - 1_000_000_000)
    writer.header.latest = writer.header.started
    let running = try writer.write()
    #expect(throws: Never.self) { try Recording(path: running.path) }
  }
}
