import Foundation
import Testing

/// Documentation/Articles.md: every row of the articles, and what shows it.
///
/// A row's last cell holds, one after the other: `open: what it waits for`; a file of the project in backticks; a test's
/// sentence in “quotation marks”; `make target` in backticks.
@Suite("Documentation/Articles.md")
struct ArticlesTests {
  /// How many rows each article has.
  static let counts = [20, 7, 7, 9, 11]

  private func rows() throws -> [[String]] { try Project.text("Documentation/Articles.md").tableRows }

  @Test("has every row of the five articles, once and in order")
  func complete() throws {
    let expected = Self.counts.enumerated().flatMap { article, count in (1...count).map { "\(article).\($0)" } }
    #expect(try rows().map { $0[0] } == expected)
  }

  @Test("says for each row what shows it, or which capability it waits for")
  func backed() throws {
    let sentences = try Self.testSentences()
    let targets = Set(try Project.text("Makefile").matches(of: "^([a-z][a-z-]*):"))
    for row in try rows() {
      try #require(row.count == 3, "\(row[0]) has \(row.count) cells")
      let cell = row[2]
      let open = try cell.matches(of: #"open: (\S[^;]*)"#)
      let tests = try cell.matches(of: "“([^”]+)”")
      let code = try cell.matches(of: "`([^`]+)`")
      for sentence in tests {
        #expect(sentences.contains(sentence), "\(row[0]): there is no test “\(sentence)”")
      }
      var shown = tests.count
      for text in code {
        if text.hasPrefix("make ") {
          #expect(targets.contains(String(text.dropFirst(5))), "\(row[0]): there is no '\(text)'")
          shown += 1
        } else if text.contains("/") {
          #expect(Project.exists(text), "\(row[0]): there is no file \(text)")
          shown += 1
        }
      }
      #expect(shown > 0 || !open.isEmpty, "\(row[0]) is neither shown nor open: \(cell)")
    }
  }

  /// The sentences of all tests, of the package and of the examples.
  static func testSentences() throws -> Set<String> {
    let files = ["Tests", "Examples/Tests", "Examples/Desktop/Tests"].flatMap {
      Project.files(under: $0, endingIn: [".swift"])
    }
    return try files.reduce(into: []) { found, file in
      found.formUnion(try Project.text(file).matches(of: #"@Test\(\s*"((?:[^"\\]|\\.)+)""#))
    }
  }
}
