import Foundation
import MainstayTrace

/// The library that records, and what a program's environment must hold to load it.
struct Preload {
  let path: String

  struct Missing: Error, CustomStringConvertible {
    let looked: [String]

    var description: String {
      "the recorder (libmainstay-recorder.so) is not beside the tool. Looked for:\n"
        + looked.map { "    \($0)" }.joined(separator: "\n")
        + "\n  Build it with 'swift build', or name it in \(Environment.recorder)."
    }
  }

  /// The loader parts what it is to preload at spaces and colons, and knows no way to write them.
  struct Unnameable: Error, CustomStringConvertible {
    let library: String
    let folder: String

    var description: String {
      "the recorder cannot be loaded from \(library), nor by a link in \(folder): the loader takes no path with a space or "
        + "a colon. Set TMPDIR to a folder without them."
    }
  }

  init(environment: [String: String]) throws(Missing) {
    let tool =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    let folder = URL(fileURLWithPath: tool).deletingLastPathComponent().path
    let name = "libmainstay-recorder.so"
    let places =
      environment[Environment.recorder].map { [$0] } ?? [
        "\(folder)/Mainstay_mainstay-cli.resources/\(name)", "\(folder)/\(name)",
        URL(fileURLWithPath: "\(folder)/../lib/mainstay/\(name)").standardized.path,
      ]
    guard let found = places.first(where: { access($0, R_OK) == 0 }) else { throw Missing(looked: places) }
    path = found
  }

  /// The program's environment: this one's, with the recorder after what is preloaded already.
  ///
  /// - Throws: ``Unnameable``, and what keeps a link from being made in the workspace.
  func environment(
    _ base: [String: String], in workspace: RunWorkspace, options: RunOptions
  ) throws -> [String: String] {
    let path = try Self.loadable(path, linkedIn: workspace.folder)
    var environment = base
    let loaded = base["LD_PRELOAD"].flatMap { $0.isEmpty ? nil : $0 }
    environment["LD_PRELOAD"] = loaded.map { "\($0):\(path)" } ?? path
    environment[Environment.recording] = workspace.recording
    environment[Environment.processes] = workspace.processes
    environment[Environment.parent] = String(getpid())
    environment[Environment.memory] = String(options.memory)
    environment[Environment.frame] = nanoseconds(options.frameInterval)
    environment[Environment.budget] = nanoseconds(options.budget ?? options.frameInterval)
    return environment
  }

  /// A path of the library that the loader can be given.
  private static func loadable(_ path: String, linkedIn folder: String) throws -> String {
    func isOneWord(_ path: String) -> Bool { !path.contains { $0 == " " || $0 == ":" } }
    if isOneWord(path) { return path }
    guard isOneWord(folder) else { throw Unnameable(library: path, folder: folder) }
    let link = "\(folder)/\((path as NSString).lastPathComponent)"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: RecordingPlace.absolute(path))
    return link
  }

  private func nanoseconds(_ duration: Duration) -> String { String(Int64((duration / .nanoseconds(1)).rounded())) }
}
