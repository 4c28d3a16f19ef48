import Foundation
import Testing

/// Documentation/Scenarios.md: what recordings show of what really happens, and what shows that they do.
@Suite("Documentation/Scenarios.md")
struct ScenariosTests {
  @Test("names for each scenario a test that there is, a file, or what it waits for")
  func backed() throws {
    let sentences = try ArticlesTests.testSentences()
    let rows = try Project.text("Documentation/Scenarios.md").tableRows
    #expect(rows.count >= 24)
    for row in rows {
      try #require(row.count == 3, "\(row[0]) has \(row.count) cells")
      let tests = try row[2].matches(of: "“([^”]+)”")
      let open = try row[2].matches(of: #"open: (\S[^;]*)"#)
      #expect(!tests.isEmpty || !open.isEmpty, "\(row[0]) is neither shown nor open")
      for sentence in tests { #expect(sentences.contains(sentence), "\(row[0]): there is no test “\(sentence)”") }
    }
  }
}
