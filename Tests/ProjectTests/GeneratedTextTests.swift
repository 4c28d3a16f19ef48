import Foundation
import Testing

/// What documents copy from the tool is what the tool says.
@Suite("Text that is copied from the tool")
struct GeneratedTextTests {
  @Test("is fresh: README.md shows the help of 'mainstay run'")
  func help() throws {
    let (help, status) = try Project.run("\(try Project.products())/mainstay", ["run", "--help"])
    try #require(status == 0)
    let readme = try Project.text("README.md")
    #expect(
      readme.contains("<!-- mainstay run --help -->\n```\n\(help)```\n"), "mend it with: scripts/update-documents")
  }

  @Test("is fresh: Rules.md is what the rules say of themselves")
  func rules() throws {
    let (text, status) = try Project.run("\(try Project.products())/mainstay", ["explain", "--markdown"])
    try #require(status == 0)
    #expect(try Project.text("Documentation/Rules.md") == text, "mend it with: scripts/update-documents")
  }

  @Test("is fresh: Output.md has every field of the document that 'mainstay run --json' writes")
  func fields() throws {
    let code = try Project.text("Sources/MainstayTrace/Summary/RunSummary.swift")
    let fields = Set(try code.matches(of: #"^\s*(?:@Nullable )?public var (\w+)(?::| =)"#)).subtracting(["wrappedValue"]
    )
    let document = try #require(
      try Project.text("Documentation/Output.md").components(separatedBy: "## `mainstay.run/1`").last)
    let named = Set(try document.matches(of: "^\\| `([A-Za-z0-9]+)`"))
    #expect(fields.subtracting(named).isEmpty, "not described")
    #expect(named.subtracting(fields).isEmpty, "not in RunSummary")
  }

  @Test("is fresh: Output.md has every field of the document that 'mainstay boundaries' writes")
  func boundaryFields() throws {
    let code = try Project.text("Sources/MainstayReport/BoundarySurvey.swift")
    let fields = Set(try code.matches(of: #"^\s*(?:@Nullable )?public var (\w+)(?::.* = | = |: (?:String|Double\?)$)"#))
    let document = try #require(
      try Project.text("Documentation/Output.md").components(separatedBy: "## `mainstay.boundaries/1`").last?
        .components(separatedBy: "\n## ").first)
    let named = Set(try document.matches(of: "`([A-Za-z0-9]+)`"))
    #expect(fields.subtracting(named).isEmpty, "not described")
    #expect(fields.count == 15, "\(fields.sorted())")
  }
}
