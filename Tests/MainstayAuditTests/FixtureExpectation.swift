/// What the fixtures say about themselves: `// expect: <rule>` on the line of every finding.
import Foundation

@testable import MainstayAudit

struct FixtureExpectation: Hashable, CustomStringConvertible {
  var file: String
  var line: Int
  var rule: String
  /// A severity other than the rule's own, when the comment names one.
  var severity: String?

  var description: String { "\(file):\(line) \(rule)" }

  /// The directory of the package that holds this file.
  static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
  static let package = repository + "/Tests/Fixtures/Audit"

  static func read() throws -> Set<FixtureExpectation> {
    var found: Set<FixtureExpectation> = []
    let root = package + "/Sources"
    for name in try FileManager.default.subpathsOfDirectory(atPath: root) where name.hasSuffix(".swift") {
      let text = try String(contentsOfFile: root + "/" + name, encoding: .utf8)
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        var rest = line
        while let marker = rest.firstRange(of: "// expect: ") {
          rest = rest[marker.upperBound...]
          let words = rest.split(separator: " ")
          guard let rule = words.first else { continue }
          found.insert(
            FixtureExpectation(
              file: "Sources/" + name, line: index + 1, rule: String(rule),
              severity: words.count > 1 && words[1] != "//" ? String(words[1]) : nil))
        }
      }
    }
    return found
  }
}

extension AuditOptions {
  /// Keeps nothing: what a test audits is gone soon, and the user's cache is not the tests' to write to.
  static func uncached(_ path: String) -> AuditOptions {
    var options = AuditOptions(path: path)
    options.usesCache = false
    return options
  }
}
