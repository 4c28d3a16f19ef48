/// A display in memory, and a hand that clicks and types on it.
import Foundation

final class Screen {
  /// Larger than the window, so that others have room beside it, and the window to grow.
  static let width = 1300
  static let height = 800

  private let server = Process()
  let display: String

  init() throws {
    let pipe = Pipe()
    server.executableURL = URL(filePath: "/usr/bin/env")
    // The server chooses a number that is free, and writes it to its standard output.
    // It ends with the last program on it.
    server.arguments = [
      "Xvfb", "-displayfd", "1", "-screen", "0", "\(Self.width)x\(Self.height)x24", "-nolisten", "tcp", "-terminate",
    ]
    server.standardOutput = pipe
    server.standardError = FileHandle.nullDevice
    try server.run()
    var number = ""
    while !number.hasSuffix("\n") {
      let bytes = pipe.fileHandleForReading.availableData
      if bytes.isEmpty { throw ScreenError("Xvfb ended before it had a display") }
      number += String(decoding: bytes, as: UTF8.self)
    }
    display = ":" + number.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  deinit {
    // A display on which nothing ever was does not end by itself, and a test's children do not heed SIGTERM: Dispatch's
    // threads, which start them, block it.
    kill(server.processIdentifier, SIGKILL)
  }

  /// What GTK needs to draw without a graphics card.
  var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(
      [
        "DISPLAY": display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
        "GSETTINGS_BACKEND": "memory", "ADW_DISABLE_PORTAL": "1",
      ]) { $1 }
  }

  /// Moves, clicks or types, in the words of xdotool.
  func hand(_ words: String...) async throws { _ = try await run("xdotool", words) }

  /// Does something to the windows of a name, in the words of xdotool, as soon as there is one.
  func hand(on title: String, _ words: String...) async throws {
    _ = try await run("xdotool", ["search", "--sync", "--onlyvisible", "--name", "^\(title)$"] + words)
  }

  /// The width and height of the window of a name.
  func size(of title: String) async throws -> (width: Int, height: Int) {
    let text = try await run("xdotool", ["search", "--onlyvisible", "--name", "^\(title)$", "getwindowgeometry"])
    guard let size = text.firstMatch(of: /Geometry: (\d+)x(\d+)/), let width = Int(size.1), let height = Int(size.2)
    else { throw ScreenError("xdotool said \"\(text)\"") }
    return (width, height)
  }

  /// The end of the screen: whoever is on it loses the connection.
  func end() {
    kill(server.processIdentifier, SIGKILL)
  }

  /// What ImageMagick finds out of a part of the screen: one number.
  ///
  /// - Parameter place: left, top, width and height.
  func measure(_ expression: String, of place: [Double]) async throws -> Double {
    let picture = FileManager.default.temporaryDirectory.appending(path: "screen-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: picture) }
    let part = "\(Int(place[2]))x\(Int(place[3]))+\(Int(place[0]))+\(Int(place[1]))"
    _ = try await run("import", ["-window", "root", "-crop", part, "+repage", picture.path])
    let text = try await run("identify", ["-format", expression, picture.path])
    guard let number = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw ScreenError("\(expression) is \"\(text)\"")
    }
    return number
  }

  /// Waits on a thread of its own: one of the pool's would keep others waiting.
  private func run(_ program: String, _ arguments: [String]) async throws -> String {
    let environment = environment
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try Self.run(program, arguments, environment) })
      }
    }
  }

  private static func run(
    _ program: String, _ arguments: [String], _ environment: [String: String]
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ScreenError("\(program) ended with \(process.terminationStatus)")
    }
    return text
  }
}

struct ScreenError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
