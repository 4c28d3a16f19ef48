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
  func environment(
    _ base: [String: String], recording: String, processes: String, options: RunOptions
  ) -> [String: String] {
    var environment = base
    let loaded = base["LD_PRELOAD"].flatMap { $0.isEmpty ? nil : $0 }
    environment["LD_PRELOAD"] = loaded.map { "\($0):\(path)" } ?? path
    environment[Environment.recording] = recording
    environment[Environment.processes] = processes
    environment[Environment.parent] = String(getpid())
    environment[Environment.memory] = String(options.memory)
    environment[Environment.frame] = nanoseconds(options.frameInterval)
    environment[Environment.budget] = nanoseconds(options.budget ?? options.frameInterval)
    return environment
  }

  private func nanoseconds(_ duration: Duration) -> String { String(Int64((duration / .nanoseconds(1)).rounded())) }
}
