import Foundation
import Testing

/// What no file of the project may hold.
@Suite("No tracked file")
struct TrackedFilesTests {
  /// Folders of one machine: homes, and where this project happens to be worked on. Written in pieces, so that this
  /// file does not hold what it looks for.
  private static let machineFolders = ["home/[a-z]", "Users/[a-z]", "root", "work", "farm", "mnt/[a-z]"]
  private static let pattern = "(?<![A-Za-z0-9_.~])/(?:" + machineFolders.joined(separator: "|") + ")[A-Za-z0-9_.-]*/"

  @Test("holds a path of somebody's machine")
  func machinePaths() throws {
    for file in try Project.trackedFiles() {
      guard let text = try? Project.text(file) else { continue }
      // Where the toolchains of swift.org were built: the debug information of every one of them says so.
      let found = try text.matches(of: Self.pattern).filter { $0 != "/home/build-user/" }
      #expect(found.isEmpty, "\(file): \(found)")
    }
  }

  @Test("is larger than half a megabyte")
  func size() throws {
    for file in try Project.trackedFiles() {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(Project.root)/\(file)")
      let bytes = (attributes[.size] as? NSNumber)?.intValue ?? 0
      #expect(bytes <= 500_000, "\(file) has \(bytes) bytes")
    }
  }

  @Test("is a script that cannot be executed or that does not stop at an error")
  func scripts() throws {
    for file in try Project.trackedFiles() where file.hasPrefix("scripts/") || file == ".ci/run" {
      let text = try Project.text(file)
      guard text.hasPrefix("#!") else { continue }
      #expect(FileManager.default.isExecutableFile(atPath: "\(Project.root)/\(file)"), "chmod +x \(file)")
      guard text.split(separator: "\n").first?.hasSuffix("sh") == true else { continue }
      #expect(try !text.matches(of: "^set -e").isEmpty, "\(file) does not say set -eu")
    }
  }
}
