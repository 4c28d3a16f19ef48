import BuiltTool
import Foundation
import Testing

/// What `mainstay audit` says of the wallet: the article's mistakes, each in its place, and nothing of the rest.
@Suite(
  "The audit of the wallet", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: BuiltTool.isHere, "the tool is not built; make test builds it first"))
struct AuditTests {
  /// The mistakes that a rule finds, a line each: rule, file, function.
  private static let expected = [
    "MS101 ServicesOnMain.swift InventoryManager.stock()", "MS101 ServicesOnMain.swift InventoryManager.stock()",
    "MS101 ServicesOnMain.swift PaymentService.total()", "MS101 ServicesOnMain.swift PaymentService.total()",
    "MS201 AwaitInside.swift AwaitInsideWallet.transfer(_:from:to:)",
    "MS202 SeparateActors.swift SeparateActorsWallet.transfer(_:from:to:)",
  ]
  /// Rules of the expectation.
  private static let rules = Set(expected.map { String($0.prefix(5)) })

  private struct Document: Decodable {
    struct Finding: Decodable {
      struct Location: Decodable {
        var file: String
        var line: Int
      }
      var code: String
      var message: String
      var severity: String
      var function: String
      var location: Location
    }
    var findings: [Finding]
  }

  @Test("finds the article's mistakes where they are made, and in the wallet itself none")
  func audit() async throws {
    let tool = try #require(BuiltTool.path, "the tool is not built; make test builds it first")
    let output = FileManager.default.temporaryDirectory.appending(path: "audit-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: output) }
    let notes = try await run(tool, output.path)
    let data = try #require(FileManager.default.contents(atPath: output.path), "the audit wrote nothing: \(notes)")
    let findings = try JSONDecoder().decode(Document.self, from: data).findings
    let mistakes = findings.filter { $0.location.file.contains("Sources/Broken/") && Self.rules.contains($0.code) }
      .map { "\($0.code) \($0.location.file.split(separator: "/").last ?? "") \($0.function)" }
    #expect(mistakes.sorted() == Self.expected)
    let wallet = ["WalletKit", "WalletStore", "WalletPage"].map { "Sources/\($0)/" }
    let others = findings.filter { finding in
      finding.severity != "note" && wallet.contains { finding.location.file.contains($0) }
    }
    #expect(others.map { "\($0.code) \($0.location.file):\($0.location.line) \($0.message)" } == [])
  }

  /// Runs the audit of what is built already, on a thread that may wait for it.
  private func run(_ tool: String, _ output: String) async throws -> String {
    let arguments = [
      "audit", BuiltTool.examples, "--no-build", "--scratch-path", BuiltTool.scratch, "--format", "json", "--output",
      output,
    ]
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let process = Process()
            process.executableURL = URL(filePath: tool)
            process.arguments = arguments
            let pipe = Pipe()
            process.standardError = pipe
            try process.run()
            let notes = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: notes, as: UTF8.self)
          })
      }
    }
  }
}
