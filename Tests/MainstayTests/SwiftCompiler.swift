import Foundation

/// Compiles files against the module under test, as another package's sources would be.
struct SwiftCompiler {
  struct Diagnostic: Hashable, CustomStringConvertible {
    var file: String
    var line: Int
    var severity: String
    var message: String
    var description: String { "\(file):\(line): \(severity): \(message)" }
  }

  struct Outcome {
    var status: Int32
    var output: String
    /// Errors and warnings, without their notes.
    var diagnostics: [Diagnostic]
  }

  /// The directory of the package: three levels above this file.
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Where the build left `Mainstay.swiftmodule`: beside the running test.
  static var modules: URL {
    let executable = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return executable.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("Modules")
  }

  /// What it takes to import the modules that record: where the headers of their C are.
  static var recorderFlags: [String] {
    ["CMainstayRecorder", "CMainstayTrace", "CMainstayDemangling"].flatMap { target in
      let map = modules.deletingLastPathComponent().appendingPathComponent("\(target).build/module.modulemap").path
      let headers = package.appendingPathComponent("Sources/\(target)/include").path
      return ["-Xcc", "-fmodule-map-file=\(map)", "-Xcc", "-I\(headers)"]
    }
  }

  /// Checks types and data races, which only the passes after type checking find. Makes no file.
  static func check(_ files: [URL], flags: [String] = []) throws -> Outcome {
    let arguments =
      [
        "swiftc", "-swift-version", "6", "-wmo", "-parse-as-library", "-module-name", "Client", "-emit-sil", "-o",
        "/dev/null",
      ]
      + ["-I", modules.path] + flags + files.map(\.path)
    return try run(arguments)
  }

  /// Runs a command of the toolchain and reads what it prints.
  static func run(_ arguments: [String], in directory: URL? = nil) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = directory
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: output, diagnostics: diagnostics(in: output))
  }

  /// Lines of the form `path:line:column: error: message`.
  private static func diagnostics(in output: String) -> [Diagnostic] {
    output.split(separator: "\n").compactMap { line in
      guard let match = line.wholeMatch(of: /(.+\.swift):(\d+):\d+: (error|warning): (.+)/) else { return nil }
      return Diagnostic(
        file: String(match.1.split(separator: "/").last ?? ""), line: Int(match.2) ?? 0, severity: String(match.3),
        message: String(match.4))
    }
  }
}
