import Testing

@testable import MainstayTrace

@Suite("Resume points")
struct ResumePointTests {
  /// The resume points of each async function of the program, in the compiler's order, by the name shown.
  private func points(_ build: CompiledProgram.Build) throws -> [String: [ResumePoint]] {
    let program = try CompiledProgram.named("Awaits", build)
    let pieces = program.image.functions { $0.last == UInt8(ascii: "_") }
      .filter { MangledName(symbol: $0.name).resume != nil }
    let found = program.symbols.resolve(pieces.map { (CompiledProgram.base + $0.address, .exact) })
    let named = Dictionary(grouping: found.filter { !$0.physical.name.isThunk }, by: \.physical.name.display)
    return named.mapValues { pieces in
      pieces.sorted { ($0.physical.name.resume?.ordinal ?? 0) < ($1.physical.name.resume?.ordinal ?? 0) }
        .compactMap(\.resumePoint)
    }
  }

  @Test("say which await each piece goes on from", arguments: [CompiledProgram.Build.debug, .release])
  func labels(build: CompiledProgram.Build) throws {
    let points = try points(build)
    func labels(_ function: String) -> [String] { (points["SearchModel.\(function)()"] ?? []).map(\.label) }
    #expect(labels("hop") == ["", "in await 1", "after await 1"])
    #expect(
      labels("several") == [
        "", "in await 1", "after await 1", "in await 2", "after await 2", "in await 3", "after await 3",
      ])
    // The last two go on with the errors of the first and the second await.
    #expect(
      labels("risky") == [
        "", "in await 1", "after await 1", "in await 2", "after await 2", "after await 1", "after await 2",
      ])
    #expect(labels("stream") == ["", "in await 1", "after await 1"])
    // Unrolled at -O, the loop has its one await several times.
    let loop = labels("loop")
    #expect(loop.first == "" && loop.count % 2 == 1)
    #expect(loop.dropFirst().enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? "in await 1" : "after await 1") })
    #expect(build == .release || loop.count == 3)
  }

  @Test("count awaits in source order and give the line of each", arguments: [CompiledProgram.Build.debug, .release])
  func lines(build: CompiledProgram.Build) throws {
    let program = try CompiledProgram.named("Awaits", build)
    let points = try points(build)
    let expected = [
      "hop": ["hop 1"], "several": ["several 1", "several 2", "several 3"], "sum": ["sum 1", "sum 1"],
      "loop": ["loop 1"], "pair": ["pair 1", "pair 1", "pair end"], "stream": ["stream 1"],
      "risky": ["risky 1", "risky 2"], "group": ["group 1"], "continuation": ["continuation 1"],
    ]
    for (function, markers) in expected {
      let lines = try markers.map(program.line)
      let found = try #require(points["SearchModel.\(function)()"], "no pieces of \(function)")
      #expect(found.allSatisfy { $0.awaits == markers.count }, "\(function)")
      #expect(found.first?.position == .start, "\(function)")
      for point in found.dropFirst() {
        let number = try #require(point.awaitNumber, "\(function): \(point)")
        #expect(point.line == lines[number - 1] && point.file?.hasSuffix("Awaits.swift") == true, "\(function)")
      }
      let over = Set(found.filter { $0.label.hasPrefix("after") }.compactMap(\.awaitNumber))
      #expect(over == Set(1...markers.count), "\(function): code follows every await")
    }
  }

  @Test("of a caller on no actor are numbered too")
  func nonisolated() throws {
    let program = try CompiledProgram.named("Awaits", .debug)
    let found = try #require(try points(.debug)["elsewhere(_:)"]).filter { $0.position != .start }
    let lines = [try program.line("elsewhere 1"), try program.line("elsewhere 2")]
    #expect(found.allSatisfy { point in point.awaitNumber.map { point.line == lines[$0 - 1] } ?? false })
    #expect(found.filter { $0.label == "after await 1" || $0.label == "after await 2" }.count == 2)
    #expect(found.allSatisfy { $0.column > 0 && $0.awaits == 2 })
  }

  @Test("are only numbers without debug information")
  func withoutLines() throws {
    let found = try #require(try points(.withoutLines)["SearchModel.several()"])
    #expect(found.map(\.label) == (1...found.count).map { "resume \($0)" })
    #expect(found.allSatisfy { $0.line == 0 && $0.awaitNumber == nil })
  }

  @Test("do not place a piece that nothing hands out and that has no line")
  func unplaced() {
    let nowhere = ResumePoints.Place(file: nil, line: 0, column: 0)
    let pieces = [ResumePoints.Piece(resume: .init(ordinal: 1, kind: .awaitReturn), firstLine: nowhere, origins: [])]
    let points = ResumePoints(declarationLine: 3, pieces: pieces)
    #expect(points[1].position == .unplaced(resume: 1))
    #expect(points[9].position == .unplaced(resume: 9))
  }
}
