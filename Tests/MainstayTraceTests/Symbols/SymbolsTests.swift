import Foundation
import Testing

@testable import MainstayTrace

@Suite("Symbols of a process")
struct SymbolsTests {
  @Test("resolve addresses in the order given, repeated ones too, and show unknown ones as places")
  func order() throws {
    let program = try CompiledProgram.named("Awaits", .debug)
    let work = try program.symbol("$s6Awaits4workyS2iF")
    let address = CompiledProgram.base + work.address
    let symbols = program.symbols
    let found = symbols.resolve([(address, .exact), (0x10, .exact), (address, .exact), (0, .returnAddress)])
    #expect(found.map(\.address) == [address, 0x10, address, 0])
    #expect(found.map(\.physical.name.display) == ["work(_:)", "0x10", "work(_:)", "0x0"])
    #expect(found[0].physical.file?.hasSuffix("Awaits.swift") == true)
    #expect(found[0].physical.line == program.source.firstIndex { $0.hasPrefix("func work") }.map { $0 + 1 })
    #expect(symbols.problems.isEmpty)
    #expect(symbols.resolve([]).isEmpty)
  }

  @Test("of a file with a name that ends the demangler show that one as it is, read the others, and say so")
  func hostile() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mainstay-hostile-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = [DemanglerTests.hostile, "$s6Awaits4workyS2iF"]
    let code = names.enumerated().map { "void f\($0)(void) __asm__(\"\($1)\"); void f\($0)(void) {}" }
    let source = folder.appending(path: "planted.c")
    try Data(code.joined(separator: "\n").utf8).write(to: source)
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    let library = folder.appending(path: "planted.so").path
    compiler.arguments = ["clang", "-shared", "-nostdlib", source.path, "-o", library]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0)

    let image = try ELFImage(path: library)
    let modules = ModuleMap(
      image.segments.map {
        .init(
          start: $0.address, end: $0.address + $0.memorySize, fileOffset: $0.fileOffset, path: image.path, buildID: nil)
      })
    let symbols = Symbols(modules: modules, tool: nil)
    let places = try names.map { name in
      try #require(image.symbols(withPrefix: name).first { $0.name == name }).address
    }
    let found = symbols.resolve(places.map { ($0, .exact) }).map(\.physical.name.display)
    #expect(found == [DemanglerTests.hostile, "work(_:)"])
    #expect(symbols.problems.contains(.unreadableNames(1)))
    #expect(Symbols.Problem.unreadableNames(1).description.contains("Build again"))
  }

  @Test("name the code that the kernel maps into every process, when it is of this kernel")
  func kernel() throws {
    let image = try #require(ELFImage.kernelImage(), "this kernel maps no code into its processes")
    let clock = try #require(image.functions { String(decoding: $0, as: UTF8.self).hasSuffix("clock_gettime") }.first)
    let offset = try #require(image.fileOffset(ofAddress: clock.address))
    func found(_ buildID: String?) -> (display: String, problems: [Symbols.Problem]) {
      let mapping = ModuleMap.Mapping(
        start: 0x7000_0000, end: 0x7001_0000, fileOffset: 0, path: ELFImage.kernelCode, buildID: buildID)
      let symbols = Symbols(modules: ModuleMap([mapping]), tool: nil)
      return (symbols.resolve([(0x7000_0000 + offset, .exact)])[0].physical.name.display, symbols.problems)
    }
    #expect(found(image.buildID).display.hasSuffix("clock_gettime"))
    #expect(found(image.buildID).problems.isEmpty)
    #expect(found("0123").display == "[vdso]+0x\(String(offset, radix: 16))")
    #expect(found("0123").problems.isEmpty)
  }

  @Test("use nothing of an image that was built again")
  func changed() throws {
    let program = try CompiledProgram.named("Awaits", .debug)
    let work = try program.symbol("$s6Awaits4workyS2iF")
    let recorded = program.modules.mappings.map {
      ModuleMap.Mapping(
        start: $0.start, end: $0.end, fileOffset: $0.fileOffset, path: $0.path, buildID: "0123")
    }
    let symbols = Symbols(modules: ModuleMap(recorded), tool: nil)
    let found = symbols.resolve([(CompiledProgram.base + work.address, .exact)])
    #expect(found[0].physical.name.kind == .unknown)
    #expect(found[0].physical.name.display.hasPrefix("Awaits-debug+0x"))
    #expect(symbols.problems == [.changed(path: program.path)])
  }

  @Test("say what is missing, once: the file, the symbols, the lines or the tool")
  func problems() throws {
    let gone = ModuleMap([.init(start: 0x1000, end: 0x2000, fileOffset: 0, path: "/nonexistent/App")])
    let symbols = Symbols(modules: gone, tool: nil)
    #expect(
      symbols.resolve([(0x1234, .exact), (0x1235, .exact)]).map(\.innermost.name.display) == ["App+0x234", "App+0x235"])
    #expect(symbols.problems == [.image(ELFError(path: "/nonexistent/App", reason: .unreadable, offset: 0))])

    let stripped = try CompiledProgram.named("Awaits", .stripped)
    let code = try #require(stripped.image.segments.first { $0.isExecutable })
    let ofStripped = stripped.symbols
    _ = ofStripped.resolve([(CompiledProgram.base + code.address, .exact)])
    _ = ofStripped.resolve([(CompiledProgram.base + code.address + 1, .exact)])
    #expect(ofStripped.problems == [.stripped(path: stripped.path), .withoutLines(path: stripped.path)])

    let debug = try CompiledProgram.named("Awaits", .debug)
    let withoutTool = Symbols(modules: debug.modules, tool: nil)
    let work = try debug.symbol("$s6Awaits4workyS2iF")
    #expect(withoutTool.resolve([(CompiledProgram.base + work.address, .exact)])[0].physical.name.display == "work(_:)")
    #expect(withoutTool.problems == [.noSymbolizer])
    #expect(withoutTool.problems[0].description.contains("MAINSTAY_SYMBOLIZER"))
  }

  @Test("give no resume point for a thunk, whose await is nobody's")
  func thunks() throws {
    let program = try CompiledProgram.named("Tasks", .debug)
    let piece = try program.symbol("$s5Tasks5StoreC4kickyyFyyYacfU_TATQ0_")
    let found = program.symbols.resolve([(CompiledProgram.base + piece.address, .exact)])
    #expect(found[0].physical.name.isThunk)
    #expect(found[0].physical.name.display == "closure 1 in Store.kick()")
    #expect(found[0].resumePoint == nil)
  }

  #if os(Linux)
    @Test("of this process lead from its memory map to the names of its own code")
    func thisProcess() throws {
      // Foundation reads a file whose size is 0 only up to its first page.
      let stream = try #require(fopen("/proc/self/maps", "r"))
      defer { fclose(stream) }
      var bytes: [UInt8] = []
      while case let byte = fgetc(stream), byte >= 0 { bytes.append(UInt8(byte)) }
      let text = String(decoding: bytes, as: UTF8.self)
      let pointer = try #require(dlsym(dlopen(nil, RTLD_NOW), "swift_demangle"))
      let address = UInt64(UInt(bitPattern: pointer))
      let symbols = Symbols(modules: ModuleMap(procMaps: text), tool: nil)
      let name = symbols.resolve([(address, .exact)])[0].physical.name
      #expect(name.display == "swift_demangle")
      #expect(name.kind == .foreign)
    }
  #endif
}
