import Foundation
import Testing

@testable import MainstayAudit

@Suite struct QuickGuideTests {
  @Test("the quick guide is the one of the documentation, and names rules that exist")
  func documented() throws {
    let page = try String(
      contentsOfFile: FixtureExpectation.repository + "/Documentation/Guide/WhichTool.md", encoding: .utf8)
    for part in QuickGuide.all {
      #expect(
        page.contains("## \(part.title)\n\n\(part.markdown)"), "the page lacks:\n## \(part.title)\n\n\(part.markdown)")
      for rule in part.rows.flatMap(\.rules) {
        #expect(RuleCatalogue.documentation(for: rule)?.id == rule, "no rule is called \(rule)")
        #expect(QuickGuide.text.contains(rule))
      }
    }
  }

  @Test("the quick guide fits a narrow terminal")
  func narrow() {
    #expect(QuickGuide.text.split(separator: "\n").allSatisfy { $0.count <= 80 && !$0.contains("`") })
  }
}
