import Foundation
import Testing

/// Documentation/Environment.md: every variable that the code reads or sets, and no other.
@Suite("Documentation/Environment.md")
struct EnvironmentTests {
  /// How Swift, C and shell code names a variable.
  private static let swift = [
    #""(MAINSTAY_[A-Z]+)""#, #"(?:environment|base|variables)\["([A-Z_]+)"\]"#, #"key [!=]= "([A-Z_]+)""#,
  ]
  private static let c = [#""(MAINSTAY_[A-Z]+)""#, #"getenv\("([A-Z_]+)"\)"#]
  private static let shell = [#"\$\{([A-Z][A-Z_]+):?[-=?+]"#, #"^([A-Z][A-Z_]+) \?="#]

  private func named() throws -> Set<String> {
    func names(_ files: [String], _ patterns: [String]) throws -> [String] {
      try files.flatMap { file in try patterns.flatMap { try Project.text(file).matches(of: $0) } }
    }
    let code = ["Sources", "Plugins", "Examples/Sources"]
    return Set(
      try names(code.flatMap { Project.files(under: $0, endingIn: [".swift"]) } + ["Package.swift"], Self.swift)
        + names(Project.files(under: "Sources", endingIn: [".c", ".h"]), Self.c)
        + names(Project.files(under: "scripts", endingIn: [""]) + ["Makefile", ".ci/run"], Self.shell))
  }

  /// The variables of the tables: those in use, and those that are reserved for what is being built.
  private func documented() throws -> (used: [String], reserved: [String]) {
    let parts = try Project.text("Documentation/Environment.md").components(separatedBy: "## Reserved")
    try #require(parts.count == 2)
    func names(_ text: String) throws -> [String] {
      try text.tableRows.flatMap { try $0[0].matches(of: "`([A-Z_]+)`") }
    }
    return (try names(parts[0]), try names(parts[1]))
  }

  @Test("lists every variable that the code names")
  func complete() throws {
    let (used, reserved) = try documented()
    let missing = try named().subtracting(used).subtracting(reserved)
    #expect(missing.isEmpty, "not in Documentation/Environment.md: \(missing.sorted())")
  }

  @Test("lists no variable that the code does not name, and none twice")
  func nothingElse() throws {
    let (used, reserved) = try documented()
    let extra = Set(used).subtracting(try named())
    #expect(extra.isEmpty, "nothing names \(extra.sorted())")
    #expect(Set(used + reserved).count == used.count + reserved.count)
  }
}
