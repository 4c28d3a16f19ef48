/// Code that the language must refuse, with the words that it refuses it with.
import Foundation
import Testing

@testable import MainstayAudit

@Suite struct MustNotCompileTests {
  static let files: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: FixtureExpectation.package + "/MustNotCompile"))?
    .filter { $0.hasSuffix(".swift") }.sorted() ?? []

  @Test("the folder holds the rows that must not compile") func folder() {
    #expect(MustNotCompileTests.files.count >= 6)
  }

  @Test("the compiler refuses the line, in these words", arguments: MustNotCompileTests.files)
  func refused(_ name: String) throws {
    let path = FixtureExpectation.package + "/MustNotCompile/" + name
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let flags = lines[0].hasPrefix("// flags: ") ? lines[0].dropFirst(10).split(separator: " ").map(String.init) : []
    let compiler = try #require(CompilerProcess.find("swiftc"))
    let output = try CompilerProcess.run(compiler, ["-typecheck"] + flags + [path], directory: "/")
    #expect(output.status != 0)
    var expected = 0
    for (index, line) in lines.enumerated() {
      guard let marker = line.firstRange(of: "// diagnostic: ") else { continue }
      expected += 1
      let words = String(line[marker.upperBound...])
      let said = output.standardError.split(separator: "\n").contains {
        $0.contains("\(name):\(index + 1):") && $0.contains("error: ") && $0.contains(words)
      }
      #expect(said, "line \(index + 1) should be refused with '\(words)': \(output.standardError)")
    }
    #expect(expected > 0)
  }
}
