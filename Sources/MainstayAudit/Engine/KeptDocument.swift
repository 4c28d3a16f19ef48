/// A document that the tool wrote before and is given back: what is wrong with one is said alike of all.
import Foundation

struct KeptDocument {
  let path: String
  /// As it names itself: `mainstay.baseline/1`.
  let schema: String
  /// What it is called: `baseline`, `facts`.
  let name: String
  /// The option that writes one.
  let option: String

  /// - Throws: `AuditFailure` when there is no such document, it was damaged, or it is of another version.
  func read() throws -> (data: Data, root: JSON5.Node) {
    let data = try contents()
    if data.isEmpty { throw foreign }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw failure("'\(path)' is not all UTF-8: it is no \(name) of this tool, or was damaged", "write it anew with")
    }
    let root: JSON5.Node
    do {
      root = try JSON5.parse(text)
    } catch {
      // What a merge left in it, most often.
      throw damaged(at: error.line, error.reason)
    }
    let kind = schema.prefix { $0 != "/" } + "/"
    guard let found = root["schema"]?.string, found.hasPrefix(kind) else { throw foreign }
    guard found == schema else {
      throw failure(
        "'\(path)' is of another version: \(found), and this is \(schema)",
        "look at what changes, and write it anew with")
    }
    return (data, root)
  }

  func damaged(at line: Int, _ reason: String) -> AuditFailure {
    failure("'\(path)' is damaged at line \(line): \(reason)", "mend that line, or write it anew with")
  }

  /// It is something else.
  var foreign: AuditFailure {
    AuditFailure(
      kind: .usage, message: "'\(path)' is no \(name) of this tool", advice: "name a file that \(option) wrote")
  }

  private func contents() throws -> Data {
    if let data = FileManager.default.contents(atPath: path) { return data }
    let (isThere, isFolder) = WrittenFile.state(of: path)
    if !isThere { throw failure("there is no \(name) '\(path)'", "write it with") }
    if !isFolder, access(path, R_OK) != 0 {
      throw AuditFailure(
        kind: .usage, message: "the \(name) '\(path)' may not be read",
        advice: "give yourself the right to read it: chmod u+r '\(path)'")
    }
    throw AuditFailure(
      kind: .usage, message: "cannot read the \(name) '\(path)'\(isFolder ? ": it is a folder" : "")",
      advice: "name a file that \(option) wrote")
  }

  private func failure(_ message: String, _ advice: String) -> AuditFailure {
    AuditFailure(kind: .usage, message: message, advice: "\(advice): mainstay audit \(option) \(path)")
  }
}
