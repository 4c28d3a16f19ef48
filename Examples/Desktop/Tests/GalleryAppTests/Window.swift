/// The application on a screen, and what its trace says that it shows.
import Foundation

final class Window {
  let screen: Screen
  let folder: Folder
  private let process = Process()
  private var read = 0
  private(set) var lines: [[String: String]] = []

  /// - Parameter folder: of its files; that of an older window, to go on in it.
  init(_ options: String..., in folder: Folder? = nil) throws {
    screen = try Screen()
    self.folder = try folder ?? Folder()
    try Self.catalogue.write(to: URL(filePath: self.folder.path("catalogue.json")))
    process.executableURL = try Self.program()
    // Of two options of one name the last one holds.
    process.arguments =
      [
        "--trace", tracePath, "--catalogue", path("catalogue.json"), "--settings", path("playback.json"), "--wallet",
        path("wallet.sqlite"), "--theme", "light",
      ] + options
    process.environment = screen.environment
    _ = FileManager.default.createFile(atPath: path("notes"), contents: nil)
    process.standardError = FileHandle(forWritingAtPath: path("notes"))
    try? FileManager.default.removeItem(atPath: tracePath)
    try process.run()
  }

  deinit { kill() }

  /// Where a window is that nobody has moved.
  static let place = [0.0, 0, 1000, 700]

  func path(_ name: String) -> String { folder.path(name) }
  private var tracePath: String { path("trace") }

  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Starts a program of this package beside the window; it ends with the screen.
  func start(_ program: String, _ arguments: String...) throws {
    let other = Process()
    other.executableURL = try Self.program(program)
    other.arguments = arguments
    other.environment = screen.environment
    other.standardError = FileHandle.nullDevice
    try other.run()
  }

  /// What the application has written to its standard error.
  var notes: String { (try? String(contentsOfFile: path("notes"), encoding: .utf8)) ?? "" }

  /// Waits for the end of the application.
  func end() async throws -> Int32 {
    while process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
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

  /// Drags from a point of the screen to the middle of a widget, as a hand does: not in one jump.
  func drag(from start: (x: Int, y: Int), onto widget: String) async throws {
    let place = try await place(of: widget)
    let end = (x: Int(place[0] + place[2] / 2), y: Int(place[1] + place[3] / 2))
    try await screen.hand("mousemove", "\(start.x)", "\(start.y)", "mousedown", "1")
    for step in 1...10 {
      let x = start.x + (end.x - start.x) * step / 10
      let y = start.y + (end.y - start.y) * step / 10
      // The other side answers each motion before the next one means anything to it.
      try await screen.hand("mousemove", "\(x)", "\(y)", "sleep", "0.02")
    }
    try await screen.hand("mouseup", "1")
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

  /// Where a widget is just now; nil when it is not shown.
  func newestPlace(of widget: String) -> [Double]? {
    let line = lines.last { $0["about"] == "place" && $0["widget"] == widget }
    let numbers = line?["place"]?.split(separator: " ").compactMap { Double($0) } ?? []
    return numbers.count == 4 ? numbers : nil
  }

  /// Where every widget is that is shown just now, by its name.
  var newestPlaces: [String: [Double]] {
    var places: [String: [Double]] = [:]
    for line in lines where line["about"] == "place" {
      let numbers = line["place"]?.split(separator: " ").compactMap { Double($0) } ?? []
      places[line["widget"] ?? ""] = numbers.count == 4 ? numbers : nil
    }
    return places
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
  static func program(_ name: String = "gallery-window") throws -> URL {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: name)
  }
}
