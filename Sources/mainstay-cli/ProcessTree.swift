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
        pid: pid, parent: parent, executable: String(fields[3]), reason: RecorderStatus.reason(status),
        recording: fields[4].isEmpty ? nil : String(fields[4]),
        calledAs: String(fields[5]))
    }
  }

  /// The member that a summary describes: the program itself, for `swift test` the process of its tests, or the one that
  /// is asked for by name. Of several the last, recorded before not.
  func subject(pid: Int, only name: String?) -> Member? {
    if let name {
      let named = members.filter { $0.name == name || $0.calledAs == name }
      return named.last { $0.recording != nil } ?? named.last
    }
    let program = members.last { $0.pid == pid && $0.recording != nil } ?? members.last { $0.pid == pid }
    // `swift test` is about the tests: the process that it starts for them.
    if program?.name == "swift-package",
      let tests = members.last(where: { $0.name.hasSuffix(".xctest") && $0.recording != nil })
    {
      return tests
    }
    return program
  }
}
