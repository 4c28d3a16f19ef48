/// Small programs of `Tests/Fixtures/Programs/symbols`, compiled once for each way of building them.

import Foundation
import Testing

@testable import MainstayTrace

/// One fixture compiled with the toolchain's `swiftc`.
struct CompiledProgram {
  enum Build: String {
    case debug = "-Onone -g"
    case release = "-O -g"
    case withoutLines = "-O"
    case stripped = "-O -s"
  }

  let path: String
  let image: ELFImage
  /// The lines of the source.
  let source: [String]

  /// The number of the line that ends in the comment `// marker`.
  func line(_ marker: String) throws -> Int {
    let index = source.firstIndex { $0.hasSuffix("// \(marker)") }
    return try #require(index, "no line of the fixture is marked '\(marker)'") + 1
  }

  static func named(_ name: String, _ build: Build) throws -> CompiledProgram {
    try cache.program(name, build)
  }

  /// Somewhere an address space could have put the image: the same for every test, so that failures can be compared.
  static let base: UInt64 = 0x5555_5555_4000

  /// The image mapped at `base`, as the kernel would map it.
  var modules: ModuleMap {
    ModuleMap(
      image.segments.map {
        .init(
          start: Self.base + $0.address, end: Self.base + $0.address + $0.memorySize, fileOffset: $0.fileOffset,
          path: path, buildID: image.buildID)
      })
  }

  var symbols: Symbols {
    Symbols(modules: modules, tool: SymbolizerTool.find(environment: ProcessInfo.processInfo.environment))
  }

  /// The symbol of a function in the image.
  func symbol(_ name: String) throws -> ELFImage.Symbol {
    let found = image.symbols(withPrefix: name).first { $0.name == name }
    return try #require(found, "the program has no symbol \(name)")
  }

  /// Removed when the tests end.
  fileprivate static let folder = FileManager.default.temporaryDirectory.appending(
    path: "mainstay-symbols-\(UUID().uuidString)")

  private static let cache = Cache()

  private final class Cache: @unchecked Sendable {
    // Guarded by `lock`, which is held while compiling: two tests that want one program build it once.
    private var programs: [String: CompiledProgram] = [:]
    private let lock = NSLock()

    func program(_ name: String, _ build: Build) throws -> CompiledProgram {
      lock.lock()
      defer { lock.unlock() }
      if let known = programs["\(name) \(build)"] { return known }
      let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/Programs/symbols")
      let source = fixtures.appending(path: "\(name).swift")
      if programs.isEmpty { atexit { try? FileManager.default.removeItem(at: CompiledProgram.folder) } }
      let folder = CompiledProgram.folder
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let output = folder.appending(path: "\(name)-\(build)")
      let flags = build.rawValue.split(separator: " ").map { $0 == "-s" ? ["-Xlinker", "-s"] : [String($0)] }.joined()
      let arguments = [
        "swiftc", "-swift-version", "6", "-parse-as-library", "-suppress-warnings", "-module-name", name,
        "-Xlinker", "--build-id=0xcafef00d0123456789abcdef",
      ]
      let compiler = Process()
      compiler.executableURL = URL(filePath: "/usr/bin/env")
      compiler.arguments = arguments + flags + [source.path, "-o", output.path]
      try compiler.run()
      compiler.waitUntilExit()
      #expect(compiler.terminationStatus == 0, "swiftc could not compile \(source.lastPathComponent)")
      let lines = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "\n")
      let program = CompiledProgram(
        path: output.path, image: try ELFImage(path: output.path), source: lines)
      programs["\(name) \(build)"] = program
      return program
    }
  }
}
