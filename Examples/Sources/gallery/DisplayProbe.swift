/// The program that measures on a display: found beside this one, and run in its place.
import FeedProbes
import Foundation

/// GTK is in a package of its own, which needs it; this one does not.
struct DisplayProbe: Sendable {
  enum Outcome {
    case notAsked
    case ended(ExitCode)
    /// Why there is no measurement on a display.
    case impossible(String)
  }

  struct Absent: Error, CustomStringConvertible {
    let description: String
    init(_ reason: String) { description = "\(reason). Without a display: --frames clock" }
  }

  /// How the program says that no display could be opened.
  static let noDisplay: Int32 = 4

  var environment = ProcessInfo.processInfo.environment
  /// Where this program is.
  var executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path

  var hasDisplay: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
  }

  /// Beside this program, or where the desktop package is built beside this one's.
  var program: String? {
    let own = URL(filePath: executable).deletingLastPathComponent()
    var places = [own.path]
    if let end = executable.range(of: "/Examples/.build/") {
      let desktop = executable[..<end.lowerBound] + "/Examples/Desktop/.build/"
      places += [own.lastPathComponent, "release", "debug"].map { "\(desktop)\($0)" }
    }
    return places.map { $0 + "/gallery-latency" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs it on the standard streams of this program, when it is wanted and can be.
  func run(_ options: LatencyOptions) async throws -> Outcome {
    guard options.frames != .clock else { return .notAsked }
    guard hasDisplay else { return .impossible("there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set") }
    guard let program else {
      return .impossible(
        "there is a display, and gallery-latency, which measures on it, is not built "
          + "(swift build --package-path Examples/Desktop --product gallery-latency)")
    }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = options.displayArguments
    process.environment = environment
    let (ended, end) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    for await _ in ended {}
    guard process.terminationReason == .exit else {
      return .impossible("\(program) ended by signal \(process.terminationStatus)")
    }
    guard process.terminationStatus != Self.noDisplay else { return .impossible("the display could not be used") }
    return .ended(ExitCode(rawValue: process.terminationStatus) ?? .failure)
  }
}
