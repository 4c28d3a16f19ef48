import Foundation
import MainstayTrace

/// The processes of a run, as each announced itself to the list that the recorder appends to.
struct ProcessTree {
  struct Member {
    let pid: Int
    let parent: Int
    let executable: String
    /// Nil when it is recorded.
    let reason: String?
    let recording: String?
    /// The name that it was started by, which a link may give.
    let calledAs: String

    var name: String { URL(fileURLWithPath: executable).lastPathComponent }
  }

  let members: [Member]

  /// Reads the list at `path`. Lines that are not the recorder's are passed over.
  init(list path: String) {
    let bytes = FileManager.default.contents(atPath: path) ?? Data()
    members = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 6, let pid = Int(fields[0]), let parent = Int(fields[1]), let status = UInt32(fields[2])
      else { return nil }
      return Member(
        pid: pid, parent: parent, executable: Self.path(fields[3]), reason: RecorderStatus.reason(status),
        recording: fields[4].isEmpty ? nil : Self.path(fields[4]),
        calledAs: Self.path(fields[5]))
    }
  }

  /// A field as it was before the recorder wrote tabs, ends of lines and backslashes as C writes them.
  private static func path(_ field: Substring) -> String {
    guard field.contains("\\") else { return String(field) }
    var path = ""
    var rest = field.makeIterator()
    while let character = rest.next() {
      guard character == "\\", let letter = rest.next() else {
        path.append(character)
        continue
      }
      path.append(letter == "t" ? "\t" : letter == "n" ? "\n" : letter)
    }
    return path
  }

  /// The members that a summary may be about, in the order they began: the program itself, for `swift test` the
  /// processes of its tests, or those of the name that is asked for. Recorded ones, when there are any.
  func subjects(pid: Int, only name: String?) -> [Member] {
    if let name { return Self.recordedFirst(members.filter { $0.name == name || $0.calledAs == name }) }
    let program = Self.recordedFirst(members.filter { $0.pid == pid }).suffix(1)
    // `swift test` is about the tests: the processes that it starts for them, one for XCTest, one for Swift Testing.
    if program.first?.name == "swift-package" {
      let tests = members.filter { $0.name.hasSuffix(".xctest") && $0.recording != nil }
      if !tests.isEmpty { return tests }
    }
    return Array(program)
  }

  private static func recordedFirst(_ members: [Member]) -> [Member] {
    let recorded = members.filter { $0.recording != nil }
    return recorded.isEmpty ? members : recorded
  }
}
