import Foundation
import MainstayReport
import MainstayTrace

/// What `mainstay report` reads: recordings and documents, told apart by their first byte.
enum RunInput {
  /// A recording, or a document `mainstay.run/1`.
  ///
  /// - Throws: `RecordingError` or `ReportError`.
  static func read(_ path: String) throws -> RunSummary {
    guard isDocument(path) else { return RunSummary(try Recording(path: path)) }
    return try RunSummary(document: try data(path), name: path)
  }

  static func audit(_ path: String) throws -> AuditDocument { try AuditDocument(data(path), name: path) }

  /// A recording begins with a magic number, a document with a brace.
  private static func isDocument(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    let start = (try? file.read(upToCount: 64)) ?? Data()
    return start.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "{")
  }

  private static func data(_ path: String) throws -> Data {
    do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      var isDirectory: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      throw ReportError.unreadable(
        path,
        reason: !exists ? "there is no such file" : isDirectory.boolValue ? "it is a directory" : "not permitted")
    }
  }
}
