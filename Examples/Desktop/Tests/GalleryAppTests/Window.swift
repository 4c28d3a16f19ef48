/// The application on a screen, and what its trace says that it shows.
import Foundation

final class Window {
  let screen: Screen
  let folder: URL
  private let process = Process()
  private var read = 0
  /// Another window goes on in the folder.
  private var keepsFolder = false
  private(set) var lines: [[String: String]] = []

  /// - Parameter begun: an older window, whose folder this one has too.
  init(_ options: String..., after begun: Window? = nil) throws {
    screen = try Screen()
    folder = begun?.folder ?? FileManager.default.temporaryDirectory.appending(path: "window-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.catalogue.write(to: folder.appending(path: "catalogue.json"))
    begun?.keepsFolder = true
    process.executableURL = try Self.program()
    process.arguments =
      [
        "--trace", tracePath, "--catalogue", path("catalogue.json"), "--settings", path("playback.json"), "--wallet",
        path("wallet.sqlite"), "--theme", "light",
      ] + options
    process.environment = screen.environment
    process.standardError = FileHandle.nullDevice
    try? FileManager.default.removeItem(atPath: tracePath)
    try process.run()
  }

  deinit {
    kill()
    if !keepsFolder { try? FileManager.default.removeItem(at: folder) }
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }
  private var tracePath: String { path("trace") }

  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Waits for the end of the application.
  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// The newest line about something, as soon as it is as it should be. The test's time limit ends the wait.
  @discardableResult
  func wait(_ about: String, _ check: ([String: String]) -> Bool = { _ in true }) async throws -> [String: String] {
    while true {
      update()
      if let line = lines.last(where: { $0["about"] == about }), check(line) { return line }
      guard process.isRunning else { throw ScreenError("the window ended with \(process.terminationStatus)") }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  func all(_ about: String) -> [[String: String]] {
    update()
    return lines.filter { $0["about"] == about }
  }

  /// Clicks a widget, at a share of its width.
  func click(_ widget: String, at share: Double = 0.5) async throws {
    let place = try await place(of: widget)
    let x = Int(place[0] + place[2] * share)
    try await screen.hand("mousemove", "\(x)", "\(Int(place[1] + place[3] / 2))", "click", "1")
  }

  /// Drags within a widget, from one share of its width to another.
  func drag(_ widget: String, from: Double, to: Double) async throws {
    let place = try await place(of: widget)
    let y = Int(place[1] + place[3] / 2)
    let (start, end) = (Int(place[0] + place[2] * from), Int(place[0] + place[2] * to))
    try await screen.hand("mousemove", "\(start)", "\(y)", "mousedown", "1")
    for step in 1...8 { try await screen.hand("mousemove", "\(start + (end - start) * step / 8)", "\(y)") }
    try await screen.hand("mouseup", "1")
  }

  func place(of widget: String) async throws -> [Double] {
    while true {
      update()
      let line = lines.last { $0["about"] == "place" && $0["widget"] == widget }
      let numbers = line?["place"]?.split(separator: " ").compactMap { Double($0) } ?? []
      // Before GTK has given a widget its room, its place is outside of the window.
      if numbers.count == 4, numbers[0] >= 0, numbers[1] > 0 { return numbers }
      guard process.isRunning else { throw ScreenError("the window ended with \(process.terminationStatus)") }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Reads the whole lines that were written since.
  private func update() {
    guard let bytes = FileManager.default.contents(atPath: tracePath), bytes.count > read,
      let end = bytes.lastIndex(of: UInt8(ascii: "\n")), end >= read
    else { return }
    for line in bytes[read...end].split(separator: UInt8(ascii: "\n")) {
      if let fields = try? JSONDecoder().decode([String: String].self, from: line) { lines.append(fields) }
    }
    read = end + 1
  }

  /// 300 articles, whose titles tell them apart.
  private static let catalogue: Data = {
    let articles = (0..<300).map { number in
      """
      {"id": \(number), "title": "Article \(number) on actors", "author": "Zoë Ågren", "summary": "", "tags": [],
       "published": "2020-02-29", "imageSeed": \(number + 1)}
      """
    }
    return Data(#"{"schema": "gallery.catalogue/1", "articles": [\#(articles.joined(separator: ","))]}"#.utf8)
  }()

  /// Beside this test bundle.
  static func program() throws -> URL {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: "gallery-window")
  }
}
