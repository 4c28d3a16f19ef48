/// Facts survive the cache byte for byte, and anything else is refused.
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct FactsCodecTests {
  private var facts: FileFacts {
    var facts = FileFacts()
    let place = SourceLocation(file: "/p/A.swift", line: 3, column: 7)
    let closure = ClosureValue(
      function: "c", escapes: true, captures: [Argument(origins: Origins(parameter: 1), root: "self")])
    let call = Call(
      callee: .witness("P.m: () -> ()"), display: "P.m", isAsync: true, executor: .instance("self.store"),
      arguments: [Argument(origins: Origins(event: 2), root: nil, literal: "true", closure: [closure])], receiver: 0)
    let write = Write(
      place: Place(root: "self", member: "A.b"), origins: Origins(event: 0), literal: nil, isPartial: true)
    facts.functions = [
      FunctionFacts(
        name: "f", display: "A.f()", module: "App", location: place, isolation: .globalActor("MainActor"),
        flags: [.isAsync, .isClosure], parameters: [.init(name: "self", isCapture: true)],
        blocks: [.init(events: 0..<3, successors: [1, 0]), .init(events: 3..<6, successors: [])],
        events: [
          Event(kind: .call(call), location: place), Event(kind: .hop(.generic), location: place),
          Event(kind: .read(write.place), location: place), Event(kind: .write(write), location: place),
          Event(kind: .branch(Origins(event: 2)), location: place), Event(kind: .executorCheck, location: place),
        ], source: .compiler)
    ]
    facts.methods = [DispatchEntry(key: "A.f: () -> ()", function: "f")]
    facts.types = [TypeFacts(name: "A", module: "App", conformances: ["P", "Q"])]
    facts.imported = [ImportedFunction(name: "g", display: "g()", isolation: .caller)]
    facts.unknown = ["instruction 'x'"]
    facts.outline = SourceSyntax.outline(text: "@MainActor final class A: B {\n  func f() { g { h() } }\n}\n")
    var declared = SourceFacts()
    declared.mainQueueBlocks = [MainQueueBlock(location: place, comment: "in the next turn")]
    declared.bound = [BoundMember(type: "A", path: "model.title", locks: ["isSaving"], given: "Toggle.isOn")]
    facts.declared = declared
    return facts
  }

  @Test("what is written is read") func roundTrip() {
    #expect(FactsCodec.encode(facts).withUnsafeBytes { FactsCodec.decode($0) } == facts)
  }

  @Test("bytes that were cut or changed are refused or read, never a crash", arguments: 0..<60)
  func damaged(_ seed: Int) {
    var bytes = FactsCodec.encode(facts)
    var generator = SplitMix(state: UInt64(seed) + 11)
    if seed % 2 == 0 {
      bytes.removeLast(Int(generator.next() % UInt64(bytes.count)))
    } else {
      bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
    }
    let read = bytes.withUnsafeBytes { FactsCodec.decode($0) }
    if let outline = read?.outline {
      #expect(outline.declarations.indices.allSatisfy { outline.declarations[$0].parent < $0 })
    }
    for function in read?.functions ?? [] {
      #expect(function.blocks.allSatisfy { $0.events.upperBound <= function.events.count })
    }
  }
}
