/// Starts the compiler: the one place where the audit runs another program.
import Foundation
import Synchronization

struct CompilerProcess {
  struct Output {
    var status: Int32
    var standardOutput: String
    var standardError: String
  }

  /// Runs a program to its end; both outputs are collected through private temporary files.
  ///
  /// - Throws: `FrontendFailure` when the program cannot be started.
  static func run(_ program: String, _ arguments: [String], directory: String) throws -> Output {
    let process = Process()
    // A build log may name it as the shell was given it: `swiftc`.
    let path = program.contains("/") ? program : find(program) ?? program
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    if FileManager.default.fileExists(atPath: directory) {
      process.currentDirectoryURL = URL(fileURLWithPath: directory)
    }
    let output = try TemporaryFile()
    let error = try TemporaryFile()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output.handle
    process.standardError = error.handle
    try running.withLock { running in
      if running.isOver { throw FrontendFailure(reason: "the audit was ended") }
      do {
        try process.run()
      } catch {
        throw FrontendFailure(reason: "cannot start \(program): \(error.localizedDescription)")
      }
      running.children.insert(process.processIdentifier)
    }
    process.waitUntilExit()
    let isOver = running.withLock { running in
      running.children.remove(process.processIdentifier)
      return running.isOver
    }
    // Whoever ended it is about to end this process: nothing follows from what was cut off.
    while isOver { pause() }
    return Output(
      status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus,
      standardOutput: output.contents(), standardError: error.contents())
  }

  private struct Running {
    var children: Set<pid_t> = []
    var isOver = false
  }

  private static let running = Mutex(Running())

  /// Ends the programs that run, and starts no others.
  static func endAll() {
    running.withLock { running in
      running.isOver = true
      // A build takes care of its own children when it is interrupted; a compiler has none.
      for child in running.children { kill(child, SIGINT) }
    }
  }

  /// Finds a program the way a shell does.
  static func find(_ name: String) -> String? {
    for directory in (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":") {
      let path = directory + "/" + name
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    return nil
  }
}

/// A private file that is gone when nobody holds it.
private struct TemporaryFile {
  let handle: FileHandle

  init() throws {
    var template = Array((NSTemporaryDirectory() + "/mainstay-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw FrontendFailure(reason: "cannot create a temporary file") }
    unlink(template)
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  func contents() -> String {
    guard (try? handle.seek(toOffset: 0)) != nil, let data = try? handle.readToEnd() else { return "" }
    return String(decoding: data, as: UTF8.self)
  }
}
