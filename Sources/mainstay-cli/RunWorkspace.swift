import Foundation
import MainstayTrace

/// Where a run keeps its files: a private folder that goes away, and the recording where it was asked for.
struct RunWorkspace {
  let folder: String
  let recording: String
  let processes: String

  enum Problem: Error, CustomStringConvertible {
    case folder(String, String)
    case exists(String)
    case unwritable(option: String, path: String, reason: String)

    var description: String {
      switch self {
      case .folder(let path, let reason):
        "no temporary folder could be made in \(path): \(reason). Set TMPDIR to a folder that can be written."
      case .exists(let path): "\(path) exists and is not a recording; it is left alone. Name another with --recording."
      case .unwritable(let option, let path, let reason):
        "\(option) \(path) cannot be written: \(reason). Name a file in a folder that can be written."
      }
    }
  }

  init(_ options: RunOptions) throws(Problem) {
    let environment = ProcessInfo.processInfo.environment
    do { folder = try RecordingPlace.privateFolder(environment: environment) } catch {
      switch error {
      case .unwritable(let base, let reason): throw .folder(base, reason)
      case .exists(let path): throw .exists(path)
      }
    }
    processes = "\(folder)/processes"
    recording = options.recording.map(Self.absolute) ?? "\(folder)/recording"
    do {
      try Self.checkWritable(processes, "TMPDIR", keep: true)
      if options.recording != nil { try Self.makeRoom(recording) }
      if let json = options.json { try Self.checkWritable(Self.absolute(json), "--json") }
    } catch {
      remove()
      throw error
    }
  }

  /// Takes away the document of an earlier run: where this one cannot be observed, nobody shall take that for its.
  func clearDocument(_ options: RunOptions) {
    guard let json = options.json.map(Self.absolute) else { return }
    var status = stat()
    guard stat(json, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    // What a link leads to stays where it is.
    if lstat(json, &status) == 0, status.st_mode & S_IFMT == S_IFREG, unlink(json) == 0 { return }
    truncate(json, 0)
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  static func absolute(_ path: String) -> String { RecordingPlace.absolute(path) }

  private static func makeRoom(_ path: String) throws(Problem) {
    do { try RecordingPlace.makeRoom(path) } catch { throw problem(error, option: "--recording") }
  }

  private static func checkWritable(_ path: String, _ option: String, keep: Bool = false) throws(Problem) {
    do { try RecordingPlace.checkWritable(path, keep: keep) } catch { throw problem(error, option: option) }
  }

  private static func problem(_ problem: RecordingPlace.Problem, option: String) -> Problem {
    switch problem {
    case .exists(let path): .exists(path)
    case .unwritable(let path, let reason): .unwritable(option: option, path: path, reason: reason)
    }
  }
}
