import CMainstayTrace
import Foundation
import Testing

@testable import MainstayTrace

@Suite("A file that is no whole recording")
struct RecordingErrorTests {
  private static var whole: RecordingWriter {
    var writer = RecordingWriter()
    let function = writer.addFunction(1, type: 1)
    writer.totals = [mainstay_total()]
    writer.stalls = [mainstay_stall()]
    writer.samples = [mainstay_sample()]
    writer.gaps = [mainstay_gap()]
    writer.starvations = [mainstay_starvation()]
    writer.threads = [mainstay_thread()]
    writer.modules = "1000-2000 0 - /bin/app\n"
    writer.histograms = [mainstay_histogram()]
    writer.addBlock([RecordingWriter.stretch(function: function, at: 0, length: 1)])
    return writer
  }

  private func error(_ bytes: Data) throws -> RecordingError? {
    let file = try TemporaryFile(bytes)
    do throws(RecordingError) {
      _ = try Recording(path: file.path)
      return nil
    } catch {
      #expect(error.description.contains(file.path), "the file is named: \(error)")
      return error
    }
  }

  private func error(changing: (inout RecordingWriter) -> Void) throws -> RecordingError? {
    var writer = Self.whole
    changing(&writer)
    return try error(writer.bytes())
  }

  @Test("is refused when it is cut off anywhere before its end, and says how much is missing")
  func truncated() throws {
    let bytes = Self.whole.bytes()
    let needed = bytes.count - MemoryLayout<mainstay_histogram>.stride
    for count in Array(stride(from: 8, to: needed, by: 97)) + [needed - 1] {
      guard case .truncated(_, let found, let atLeast) = try error(bytes.prefix(count)) else {
        Issue.record("cut to \(count) bytes it is read, or refused as something else")
        continue
      }
      #expect(found == UInt64(count) && atLeast > found && atLeast <= UInt64(bytes.count))
    }
    #expect(try error(bytes.prefix(needed)) == nil, "histograms are only needed when something was folded")
    var folded = Self.whole
    folded.header.folded_records = 1
    guard case .truncated = try error(folded.bytes().dropLast()) else {
      Issue.record("a histogram that is cut off is not noticed")
      return
    }
  }

  @Test("is refused when it is something else, empty, a folder, missing, or of another version or machine")
  func foreign() throws {
    expect(try error(Data())) { if case .notARecording = $0 { true } else { false } }
    expect(try error(Data("MAINSTA".utf8))) { if case .notARecording = $0 { true } else { false } }
    expect(try error(Data("hello, this is a letter and no recording".utf8))) {
      if case .notARecording = $0 { true } else { false }
    }
    #expect(throws: RecordingError.self) { try Recording(path: NSTemporaryDirectory()) }
    #expect(throws: RecordingError.self) { try Recording(path: "/no/such/file") }
    let known = UInt32(MAINSTAY_TRACE_VERSION)
    expect(try error(changing: { $0.header.version = known + 1 })) {
      if case .version(_, known + 1, known) = $0 { true } else { false }
    }
    expect(try error(changing: { $0.header.machine = 183 })) { if case .machine(_, 183) = $0 { true } else { false } }
    expect(try error(changing: { $0.header.state = MAINSTAY_STATE_PREPARING.rawValue })) {
      if case .unfinished = $0 { true } else { false }
    }
  }

  private func expect(
    _ error: RecordingError?, _ location: Testing.SourceLocation = #_sourceLocation, isRight: (RecordingError) -> Bool
  ) {
    #expect(error.map(isRight) == true, "\(error.map(\.description) ?? "it was read")", sourceLocation: location)
  }

  @Test("is refused with the offset of what is wrong in its header")
  func corrupt() throws {
    let frame = try #require(MemoryLayout<mainstay_header>.offset(of: \.frame_nanoseconds))
    let started = try #require(MemoryLayout<mainstay_header>.offset(of: \.started))
    expectCorrupt(try error(changing: { $0.header.frame_nanoseconds = 0 }), at: frame)
    expectCorrupt(try error(changing: { $0.header.header_bytes = 4096 }), at: 12)
    expectCorrupt(try error(changing: { $0.header.latest = $0.header.started }), at: started)
    expectCorrupt(try error(changing: { $0.header.latest.ticks = 0 }), at: started)
    // What index 0, the pool and the main actor are must be there.
    expectCorrupt(try error(changing: { $0.functions = [] }), at: try #require(offset(\.functions)))
    expectCorrupt(try error(changing: { $0.executors = [] }), at: try #require(offset(\.executors)))
    expectCorrupt(try error(changing: { $0.types.removeLast() }), at: try #require(offset(\.executor_types)))
    var bytes = Self.whole.bytes()
    for region in regions {
      let original = bytes
      withUnsafeBytes(of: UInt64.max - 8) { bytes.replaceSubrange(region..<region + 8, with: $0) }
      expectCorrupt(try error(bytes), at: region)
      bytes = original
      withUnsafeBytes(of: UInt32(7)) { bytes.replaceSubrange(region + 12..<region + 16, with: $0) }
      expectCorrupt(try error(bytes), at: region)
      bytes = original
    }
  }

  private func offset(_ region: PartialKeyPath<mainstay_header>) -> Int? {
    MemoryLayout<mainstay_header>.offset(of: region)
  }

  private var regions: [Int] {
    let paths: [PartialKeyPath<mainstay_header>] = [
      \.threads, \.executor_types, \.executors, \.functions, \.totals, \.origins, \.stalls, \.samples, \.gaps,
      \.starvations, \.modules, \.blocks, \.histograms,
    ]
    return paths.compactMap { MemoryLayout<mainstay_header>.offset(of: $0) }
  }

  private func expectCorrupt(
    _ error: RecordingError?, at offset: Int, _ location: Testing.SourceLocation = #_sourceLocation
  ) {
    guard case .corrupt(_, let found, let what) = error else {
      Issue.record("\(error.map(\.description) ?? "it was read")", sourceLocation: location)
      return
    }
    #expect(found == UInt64(offset), "\(what)", sourceLocation: location)
    #expect(error?.description.contains("offset \(offset)") == true, sourceLocation: location)
  }
}
