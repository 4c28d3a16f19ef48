import Foundation
import Testing

/// Each file in `Tests/Fixtures/Misuse` is a mistake that must not compile, and says at the line what the compiler says.
@Suite("Misuse")
struct MisuseTests {
  static let folder = SwiftCompiler.package.appendingPathComponent("Tests/Fixtures/Misuse")
  static let mistakes = sources(in: folder)
  static let corrections = sources(in: folder.appendingPathComponent("Corrected"))

  @Test("does not compile, for the reason written beside it", arguments: mistakes)
  func mistake(file: String) throws {
    let url = Self.folder.appendingPathComponent(file)
    let expected = try Self.expectations(in: url)
    try #require(!expected.isEmpty, "\(file) expects nothing")
    let outcome = try Self.check(url)
    #expect(outcome.status != 0)
    for diagnostic in outcome.diagnostics {
      let isExpected = expected.contains { $0.line == diagnostic.line && diagnostic.message.contains($0.text) }
      #expect(isExpected && diagnostic.file == file && diagnostic.severity == "error", "unexpected: \(diagnostic)")
    }
    for expectation in expected {
      let isFound = outcome.diagnostics.contains {
        $0.line == expectation.line && $0.message.contains(expectation.text)
      }
      #expect(isFound, "missing in \(file):\(expectation.line): \(expectation.text)\n\(outcome.output)")
    }
  }

  @Test("compiles without a warning once it is corrected", arguments: corrections)
  func correction(file: String) throws {
    let outcome = try Self.check(Self.folder.appendingPathComponent("Corrected").appendingPathComponent(file))
    #expect(outcome.status == 0)
    #expect(outcome.output == "")
  }

  @Test("covers the eleven ways to misuse a unit of work, and the library's rows of the articles")
  func covered() {
    #expect(
      Self.mistakes.filter { $0.hasPrefix("unit_") || $0.hasPrefix("undo_") || $0.hasPrefix("journal_") }.count == 10)
    #expect(Self.mistakes.contains("generic_over_domain.swift"))
    #expect(Self.mistakes.count >= 21)
    #expect(Self.corrections.count >= 5)
  }

  /// A file may ask for flags with `// compile:`; then it is compiled alone, else with the domain in `Support`.
  private static func check(_ file: URL) throws -> SwiftCompiler.Outcome {
    let source = try String(contentsOf: file, encoding: .utf8)
    if let flags = source.firstMatch(of: /\/\/ compile: (.+)/) {
      return try SwiftCompiler.check([file], flags: flags.1.split(separator: " ").map(String.init))
    }
    return try SwiftCompiler.check([folder.appendingPathComponent("Support/Wallet.swift"), file])
  }

  private static func expectations(in file: URL) throws -> [(line: Int, text: String)] {
    let source = try String(contentsOf: file, encoding: .utf8)
    return source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
      line.components(separatedBy: "// expect: ").dropFirst().map { text in
        (line: index + 1, text: text.trimmingCharacters(in: .whitespaces))
      }
    }
  }

  private static func sources(in folder: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted()
  }
}
