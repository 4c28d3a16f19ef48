import Foundation
import Testing

/// The library that is preloaded into other people's programs: what it shows them.
@Suite("The preloaded recorder")
struct RecorderLibraryTests {
  private func library() throws -> String {
    let path = "\(try Project.products())/Mainstay_mainstay-cli.resources/libmainstay-recorder.so"
    try #require(FileManager.default.fileExists(atPath: path), "\(path) was not built")
    return path
  }

  @Test("exports nothing but its own prefix and the definitions that HowItWorks.md lists")
  func exports() throws {
    let (output, status) = try Project.run(
      Project.toolchain("llvm-nm"), ["-D", "--extern-only", "--defined-only", "--format=just-symbols", try library()])
    try #require(status == 0, "llvm-nm of the toolchain ended with \(status)")
    // Three marks that linkers put at the ends of sections name nothing.
    let exported = Set(output.split(separator: "\n").map(String.init)).subtracting(["__bss_start", "_edata", "_end"])
    let section = try #require(
      try Project.text("Documentation/HowItWorks.md").components(separatedBy: "## Interposed functions").last?
        .components(separatedBy: "\n## ").first)
    let listed = Set(try section.tableRows.flatMap { try $0[0].matches(of: "`([A-Za-z_]+)`") })
    #expect(exported.filter { !$0.hasPrefix("mainstay_") } == listed)
    #expect(!listed.isEmpty)
  }
}
