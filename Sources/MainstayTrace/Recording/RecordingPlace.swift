import Foundation

/// The file that a recording is to be written to: made free before anything is recorded.
package enum RecordingPlace {
  package enum Problem: Error, Hashable, Sendable {
    /// Something that is no recording stands there; it is left alone.
    case exists(path: String)
    case unwritable(path: String, reason: String)
  }

  /// An earlier recording makes way; anything else stays.
  package static func makeRoom(_ path: String) throws(Problem) {
    if let file = FileHandle(forReadingAtPath: path) {
      let start = (try? file.read(upToCount: 8)) ?? nil
      try? file.close()
      guard start.map({ String(decoding: $0, as: UTF8.self) }) == "MAINSTAY" else { throw .exists(path: path) }
      unlink(path)
    } else if access(path, F_OK) == 0 {
      throw .exists(path: path)
    }
    try checkWritable(path)
  }

  /// Finds out before the program runs what would be found out after it.
  package static func checkWritable(_ path: String, keep: Bool = false) throws(Problem) {
    let existed = keep || access(path, F_OK) == 0
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unwritable(path: path, reason: String(cString: strerror(errno))) }
    close(descriptor)
    if !existed { unlink(path) }
  }

  package static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// A folder of this process's own below `TMPDIR`. The caller removes it.
  package static func privateFolder(environment: [String: String]) throws(Problem) -> String {
    let base = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(base)/mainstay-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .unwritable(path: base, reason: String(cString: strerror(errno)))
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
