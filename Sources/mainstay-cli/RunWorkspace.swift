import Foundation

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
    let base = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(base)/mainstay-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .folder(base, String(cString: strerror(errno))) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
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

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// An earlier recording makes way; anything else stays.
  private static func makeRoom(_ path: String) throws(Problem) {
    if let file = FileHandle(forReadingAtPath: path) {
      let start = (try? file.read(upToCount: 8)) ?? nil
      try? file.close()
      guard start.map({ String(decoding: $0, as: UTF8.self) }) == "MAINSTAY" else { throw .exists(path) }
      unlink(path)
    } else if access(path, F_OK) == 0 {
      throw .exists(path)
    }
    try checkWritable(path, "--recording")
  }

  /// Finds out before the program runs what would be found out after it.
  private static func checkWritable(_ path: String, _ option: String, keep: Bool = false) throws(Problem) {
    let existed = keep || access(path, F_OK) == 0
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .unwritable(option: option, path: path, reason: String(cString: strerror(errno)))
    }
    close(descriptor)
    if !existed { unlink(path) }
  }
}
