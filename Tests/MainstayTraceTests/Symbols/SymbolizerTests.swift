import Foundation
import Testing

@testable import MainstayTrace

@Suite("The symboliser")
struct SymbolizerTests {
  private var tool: SymbolizerTool? { SymbolizerTool.find(environment: ProcessInfo.processInfo.environment) }

  @Test("gives file, line and inlined functions, the physical function last")
  func lines() throws {
    let program = try CompiledProgram.named("Awaits", .release)
    let found: SymbolizerTool = try #require(tool)
    let symbolizer = Symbolizer(tool: found)
    let piece = try program.symbol("$s6Awaits11SearchModelC12continuationyyYaFTY3_")
    let frames = try #require(symbolizer.frames(at: [piece.address], in: program.image).first)
    #expect(frames.count > 1)
    #expect(frames.last?.symbol == piece.name)
    #expect(frames.last?.file?.hasSuffix("Awaits.swift") == true)
    #expect(
      frames.last?.declarationLine == program.source.firstIndex { $0.contains("func continuation") }.map { $0 + 1 })
    #expect(symbolizer.failures.isEmpty)
  }

  @Test("looks a return address up one byte earlier, and everything else where it is")
  func kinds() throws {
    #expect(AddressKind.returnAddress.lookup(0x1000) == 0xfff)
    #expect(AddressKind.exact.lookup(0x1000) == 0x1000)
    #expect(AddressKind.returnAddress.lookup(0) == 0)
    // Two functions that touch: the first byte of one is where a last call of the other returns to.
    let program = try CompiledProgram.named("Awaits", .release)
    let functions = program.image.symbols(withPrefix: "$s6Awaits").filter(\.isFunction)
    let touching = zip(functions, functions.dropFirst()).first { $0.address + $0.size == $1.address && $0.size > 0 }
    let (before, after) = try #require(touching)
    let resolved = program.symbols.resolve([
      (CompiledProgram.base + after.address, .returnAddress), (CompiledProgram.base + after.address, .exact),
    ])
    let own = program.symbols.resolve([(CompiledProgram.base + before.address, .exact)])
    #expect(resolved[0].physical.name == own[0].physical.name)
    #expect(resolved[1].physical.name != own[0].physical.name)
  }

  @Test("answers twenty thousand addresses, more than any pipe holds")
  func many() throws {
    let program = try CompiledProgram.named("Names", .debug)
    let code = try #require(program.image.segments.first { $0.isExecutable })
    let addresses = (0..<20_000).map { code.address + UInt64($0) * (code.memorySize - 1) / 20_000 }
    let found: SymbolizerTool = try #require(tool)
    let symbolizer = Symbolizer(tool: found)
    let frames = symbolizer.frames(at: addresses, in: program.image)
    #expect(frames.count == 20_000)
    #expect(symbolizer.failures.isEmpty)
    #expect(frames.count(where: { $0.last?.line != 0 }) > 1_000)
    #expect(symbolizer.frames(at: addresses, in: program.image) == frames)
  }

  @Test("falls back to the symbol table without a tool, and to nothing for a stripped image")
  func fallback() throws {
    let program = try CompiledProgram.named("Awaits", .debug)
    let work = try program.symbol("$s6Awaits4workyS2iF")
    let symbolizer = Symbolizer(tool: nil)
    let frames = symbolizer.frames(at: [work.address + 4], in: program.image)
    #expect(frames.first?.map(\.symbol) == [work.name])
    #expect(frames.first?.first?.line == 0)
    let stripped = try CompiledProgram.named("Awaits", .stripped).image
    let code = try #require(stripped.segments.first { $0.isExecutable })
    #expect(symbolizer.frames(at: [code.address], in: stripped).first?.first?.line == 0)
  }

  @Test("reports a tool that cannot be started, and still names functions")
  func missingTool() throws {
    let program = try CompiledProgram.named("Awaits", .debug)
    let work = try program.symbol("$s6Awaits4workyS2iF")
    let symbolizer = Symbolizer(tool: SymbolizerTool(path: "/nonexistent/llvm-symbolizer"))
    #expect(symbolizer.frames(at: [work.address], in: program.image).first?.first?.symbol == work.name)
    #expect(symbolizer.failures == [.cannotStart(path: "/nonexistent/llvm-symbolizer", error: ENOENT)])
  }

  @Test(
    "reports a tool that dies, and keeps the answers that came before",
    arguments: [
      "head -c 3 >/dev/null; echo '{\"Address\":\"0xADDRESS\",\"Symbol\":[{\"FunctionName\":\"early\"}]}'; printf '{\"Addr'; exit 3",
      "echo garbage; exit 3",
    ])
  func dyingTool(script: String) throws {
    let program = try CompiledProgram.named("Awaits", .debug)
    let work = try program.symbol("$s6Awaits4workyS2iF")
    let path = Self.standIn
    let script = script.replacing("ADDRESS", with: String(work.address, radix: 16))
    let symbolizer = Symbolizer(
      tool: SymbolizerTool(path: path), environment: ["STAND_IN": script, "PATH": "/usr/bin:/bin"])
    let frames = symbolizer.frames(at: [work.address, work.address + 1], in: program.image)
    #expect(frames[0].first?.symbol == (script.contains("early") ? "early" : work.name))
    #expect(frames[1].first?.symbol == work.name)
    #expect(symbolizer.failures == [.ended(path: path, image: program.path, status: 3)])
  }

  @Test("stops a tool that says nothing")
  func silentTool() throws {
    let program = try CompiledProgram.named("Awaits", .debug)
    let work = try program.symbol("$s6Awaits4workyS2iF")
    let path = Self.standIn
    var tool = SymbolizerTool(path: path)
    tool.patience = 50
    let environment = ["STAND_IN": "exec tail -f /dev/null", "PATH": "/usr/bin:/bin"]
    let symbolizer = Symbolizer(tool: tool, environment: environment)
    #expect(symbolizer.frames(at: [work.address], in: program.image).first?.first?.symbol == work.name)
    #expect(symbolizer.failures == [.silent(path: path, image: program.path, milliseconds: 50)])
  }

  @Test("does not let the tool record itself or go to the network")
  func environment() throws {
    let program = try CompiledProgram.named("Awaits", .debug)
    let script =
      "cat >/dev/null; test -z \"$LD_PRELOAD$DEBUGINFOD_URLS$MAINSTAY_RECORDING\" || exit 9; test \"$KEPT\" = yes"
    let environment = [
      "PATH": "/usr/bin:/bin", "LD_PRELOAD": "/nonexistent.so", "DEBUGINFOD_URLS": "https://example.org",
      "MAINSTAY_RECORDING": "x", "KEPT": "yes", "STAND_IN": script,
    ]
    let answer = SymbolizerTool(path: Self.standIn).ask(image: program.path, addresses: [1], environment: environment)
    #expect(answer.failure == nil)
  }

  @Test("is found by the override, then beside the swift on PATH through links, then on PATH")
  func finding() throws {
    let manager = FileManager.default
    let root = manager.temporaryDirectory.appending(path: "mainstay-tool-\(UUID().uuidString)")
    defer { try? manager.removeItem(at: root) }
    for folder in ["links", "toolchain", "other"] {
      try manager.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
    }
    for file in ["toolchain/swift", "toolchain/llvm-symbolizer", "other/llvm-symbolizer"] {
      try Data().write(to: root.appending(path: file))
      try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: root.appending(path: file).path)
    }
    try manager.createSymbolicLink(
      at: root.appending(path: "links/swift"), withDestinationURL: root.appending(path: "toolchain/swift"))
    let path = "\(root.path)/other:\(root.path)/links"
    #expect(SymbolizerTool.find(environment: ["PATH": path])?.path.hasSuffix("toolchain/llvm-symbolizer") == true)
    #expect(
      SymbolizerTool.find(environment: ["PATH": "\(root.path)/other"])?.path.hasSuffix("other/llvm-symbolizer") == true)
    #expect(SymbolizerTool.find(environment: ["PATH": path, "MAINSTAY_SYMBOLIZER": "/x"])?.path == "/x")
    #expect(SymbolizerTool.find(environment: ["PATH": "\(root.path)/links/none:relative"]) == nil)
    #expect(SymbolizerTool.find(environment: [:]) == nil)
  }

  /// A script that does what the variable `STAND_IN` says. It is part of the fixtures: a script written here could not be
  /// started while another test's child still holds it open for writing.
  private static let standIn = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/Programs/symbols/stand-in.sh").path
}
