import Foundation
import Testing

@testable import MainstayTrace

@Suite("An ELF image")
struct ELFImageTests {
  @Test("gives the function that covers an address, from its first byte to its last")
  func covering() throws {
    let image = try CompiledProgram.named("Awaits", .debug).image
    let work = try CompiledProgram.named("Awaits", .debug).symbol("$s6Awaits4workyS2iF")
    #expect(work.isFunction && work.size > 0)
    #expect(image.symbol(covering: work.address) == work)
    #expect(image.symbol(covering: work.address + work.size - 1) == work)
    #expect(image.symbol(covering: work.address + work.size)?.name != work.name)
    #expect(image.symbol(covering: 0) == nil)
    #expect(image.symbol(covering: .max) == nil)
  }

  @Test("gives objects for addresses of data: the async function pointer that a task is made with")
  func objects() throws {
    let program = try CompiledProgram.named("Tasks", .debug)
    let pointer = try program.symbol("$s5Tasks5StoreC4kickyyFyyYacfU_TATu")
    #expect(!pointer.isFunction)
    #expect(program.image.symbol(covering: pointer.address + 4) == pointer)
  }

  @Test(
    "says what was kept of the symbols and lines",
    arguments: [
      (CompiledProgram.Build.debug, true, true), (.release, true, true), (.withoutLines, true, false),
      (.stripped, false, false),
    ])
  func kept(build: CompiledProgram.Build, symbols: Bool, lines: Bool) throws {
    let image = try CompiledProgram.named("Awaits", build).image
    #expect(image.hasSymbolTable == symbols)
    #expect(image.hasLineTable == lines)
    #expect(image.buildID == "cafef00d0123456789abcdef")
  }

  @Test("maps file offsets to addresses and back through its segments")
  func offsets() throws {
    let image = try CompiledProgram.named("Awaits", .debug).image
    let code = try #require(image.segments.first { $0.isExecutable })
    #expect(image.address(ofFileOffset: code.fileOffset) == code.address)
    #expect(image.fileOffset(ofAddress: code.address + 7) == code.fileOffset + 7)
    #expect(image.address(ofFileOffset: .max) == nil)
    let bss = try #require(image.segments.first { $0.memorySize > $0.fileSize })
    #expect(image.fileOffset(ofAddress: bss.address + bss.memorySize - 1) == nil)
    #expect(image.bytes(at: code.address, count: .max) == nil)
  }

  @Test(
    "says why a file is no image",
    arguments: [
      ([UInt8](), ELFError.Reason.notELF), (Array("#!/bin/sh\n".utf8), .notELF),
      ([0x7f, 0x45, 0x4c, 0x46, 2, 1], .truncated("the file header")),
      ([0x7f, 0x45, 0x4c, 0x46, 1, 1] + [UInt8](repeating: 0, count: 64), .unsupported),
      ([0x7f, 0x45, 0x4c, 0x46, 2, 2] + [UInt8](repeating: 0, count: 64), .unsupported),
    ])
  func notAnImage(bytes: [UInt8], reason: ELFError.Reason) {
    let error = #expect(throws: ELFError.self) { try ELFImage(path: "some/file", bytes: bytes) }
    #expect(error?.reason == reason)
    #expect(error?.description.hasPrefix("some/file") == true)
  }

  @Test("does not wait for a FIFO, nor read a folder or a file that is not there")
  func unreadable() throws {
    let fifo = FileManager.default.temporaryDirectory.appending(path: "mainstay-fifo-\(UUID().uuidString)").path
    #expect(mkfifo(fifo, 0o600) == 0)
    defer { unlink(fifo) }
    for path in [fifo, "/", "/nonexistent/App"] {
      let error = #expect(throws: ELFError.self) { try ELFImage(path: path) }
      #expect(error?.reason == .unreadable)
    }
  }

  @Test("names what a cut file lacks, and where")
  func cut() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: CompiledProgram.named("Awaits", .withoutLines).path)))
    let error = #expect(throws: ELFError.self) { try ELFImage(path: "App", bytes: Array(bytes[..<(bytes.count / 2)])) }
    #expect(error?.reason == .truncated("the section table"))
    #expect(error?.offset == bytes.littleEndian(UInt64.self, at: 40))
    for length in stride(from: 0, to: 400, by: 3) {
      #expect(throws: ELFError.self) { try ELFImage(path: "App", bytes: Array(bytes[..<length])) }
    }
  }

  @Test("never fails but with an error, whatever its tables say")
  func mutations() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: CompiledProgram.named("Awaits", .withoutLines).path)))
    let image = try ELFImage(path: "App", bytes: bytes)
    // Where a wrong byte does harm: the headers, the section table, symbols and the notes.
    let sectionTable = Int(bytes.littleEndian(UInt64.self, at: 40))
    let symbols = try #require(image.sections.first { $0.name == ".symtab" })
    let note = try #require(image.sections.first { $0.name == ".note.gnu.build-id" })
    let targets = [
      0..<64, 64..<(64 + 56 * image.segments.count), sectionTable..<bytes.count,
      Int(symbols.fileOffset)..<Int(symbols.fileOffset + symbols.size),
      Int(note.fileOffset)..<Int(note.fileOffset + note.size),
    ]
    var random = SeededGenerator(state: 0x5eed)
    var read = 0
    for turn in 0..<600 {
      var damaged = bytes
      for _ in 0...(turn % 3) {
        let target = targets[Int.random(in: 0..<targets.count, using: &random)]
        damaged[Int.random(in: target, using: &random)] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
      }
      guard let image = try? ELFImage(path: "App", bytes: damaged) else { continue }
      read += 1
      for address in [0, 0x2000, 0x4321, 0xe000, UInt64.max] {
        _ = image.symbol(covering: address)
        _ = image.bytes(at: address, count: 16)
        _ = image.address(ofFileOffset: address)
      }
      _ = image.symbols(withPrefix: "$s6Awaits")
      for segment in image.segments.prefix(8) {
        let (end, overflow) = segment.address.addingReportingOverflow(segment.fileSize)
        guard !overflow else { continue }
        let sites = CodeReferences(image: image).sites(in: segment.address..<end) { _ in true }
        #expect(sites.count <= bytes.count)
      }
    }
    // The mutations must have tried both: images that are refused, and images that are read wrongly.
    #expect((50..<600).contains(read))
  }
}

/// A generator whose numbers are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
