import CMainstayTrace
import Foundation
import Testing

@testable import MainstayTrace

@Suite("Boundaries in a summary")
struct BoundarySummaryTests {
  private func boundary(
    _ name: String, _ kind: mainstay_boundary_kind = MAINSTAY_BOUNDARY_ASSERTED, queues: String = "",
    counts: [mainstay_boundary_count: UInt64] = [:]
  ) -> mainstay_boundary {
    var boundary = mainstay_boundary()
    (boundary.key, boundary.kind, boundary.line, boundary.ready) = (1, kind.rawValue, 12, 1)
    func write<Characters: BitwiseCopyable>(_ text: String, _ characters: inout Characters) {
      withUnsafeMutableBytes(of: &characters) { $0.copyBytes(from: text.utf8.prefix($0.count - 1)) }
    }
    write(name, &boundary.name)
    write("calls back on main", &boundary.contract)
    write("App/Feed.swift", &boundary.file)
    write(queues, &boundary.queues)
    withUnsafeMutableBytes(of: &boundary.counts) { bytes in
      let words = bytes.bindMemory(to: UInt64.self)
      words[Int(MAINSTAY_BOUNDARY_P50.rawValue)] = .max
      words[Int(MAINSTAY_BOUNDARY_P99.rawValue)] = .max
      for (index, count) in counts { words[Int(index.rawValue)] = count }
    }
    return boundary
  }

  private func summary(_ boundaries: [mainstay_boundary]) throws -> RunSummary {
    var writer = RecordingWriter()
    writer.boundaries = boundaries
    let file = try writer.write()
    return try withExtendedLifetime(file) { RunSummary(try Recording(path: file.path)) }
  }

  @Test("have a row each, by name, with every count")
  func rows() throws {
    let summary = try summary([
      boundary(
        "states", queues: "queue 'radio'\nthread 'feed'",
        counts: [
          MAINSTAY_BOUNDARY_CALLBACKS: 9, MAINSTAY_BOUNDARY_ON_MAIN: 4, MAINSTAY_BOUNDARY_OFF_MAIN: 3,
          MAINSTAY_BOUNDARY_CANNOT_TELL: 2, MAINSTAY_BOUNDARY_INVERSIONS: 1,
        ]),
      boundary(
        "progress", MAINSTAY_BOUNDARY_HOPPING,
        counts: [
          MAINSTAY_BOUNDARY_CALLBACKS: 100, MAINSTAY_BOUNDARY_P50: 40_000, MAINSTAY_BOUNDARY_P99: 2_500_000,
        ]),
      boundary("never"),
    ])
    try #require(summary.boundaries.map(\.name) == ["never", "progress", "states"])
    let (never, progress, states) = (summary.boundaries[0], summary.boundaries[1], summary.boundaries[2])
    #expect(!never.exercised && never.callbacks == 0 && never.queues.isEmpty)
    #expect(progress.kind == .hopping && progress.exercised && !progress.isBroken)
    #expect(progress.p50Milliseconds == 0.04 && progress.p99Milliseconds == 2.5)
    #expect(states.contract == "calls back on main" && states.file == "App/Feed.swift" && states.line == 12)
    #expect((states.callbacks, states.onMain, states.offMain) == (9, 4, 3))
    #expect(states.cannotTell == 2 && states.inversions == 1 && states.isBroken)
    #expect(states.queues == ["queue 'radio'", "thread 'feed'"])
    #expect(states.p50Milliseconds == nil)
    let text = summary.text(width: 80)
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("'states' (App/Feed.swift:12) was entered off the main actor 3 of 9"), "\(text)")
    #expect(words.contains("Cannot tell 'states'"))
    #expect(words.contains("Not exercised 'never': no callback came"), "\(text)")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("say nothing when every promise was kept, and a recording without their table has none")
  func quiet() throws {
    let kept = boundary("states", counts: [MAINSTAY_BOUNDARY_CALLBACKS: 5, MAINSTAY_BOUNDARY_ON_MAIN: 5])
    #expect(try !summary([kept]).text().contains("states"))
    #expect(try summary([]).boundaries.isEmpty)
  }

  @Test("in a table that is not one are damage, and are not read", arguments: [(129, 1024), (1, 1000), (128, 1024)])
  func damaged(count: Int, stride: Int) throws {
    var writer = RecordingWriter()
    writer.boundaries = [boundary("states")]
    var bytes = writer.bytes()
    let offset = try #require(MemoryLayout<mainstay_header>.offset(of: \.boundaries))
    withUnsafeBytes(of: UInt32(count)) { bytes.replaceSubrange(offset + 8..<offset + 12, with: $0) }
    withUnsafeBytes(of: UInt32(stride)) { bytes.replaceSubrange(offset + 12..<offset + 16, with: $0) }
    let file = try TemporaryFile(bytes)
    #expect(throws: RecordingError.self) { try Recording(path: file.path) }
  }
}
