import BuiltTool
import Foundation
import Testing

/// What `mainstay audit` says of the wallet: the article's mistakes, each in its place, and nothing of the rest.
@Suite(
  "The audit of the wallet", .serialized, .timeLimit(.minutes(30)),
  .enabled(if: BuiltTool.isHere, "the tool is not built; make test builds it first"))
struct AuditTests {
  /// The mistakes, a line each: rule, file, function.
  private static let expected = [
    "MS101 ServicesOnMain.swift InventoryManager.stock()",
    "MS101 ServicesOnMain.swift InventoryManager.stock()",
    "MS101 ServicesOnMain.swift PaymentService.total()",
    "MS101 ServicesOnMain.swift PaymentService.total()",
    "MS201 AwaitInside.swift AwaitInsideWallet.transfer(_:from:to:)",
    "MS202 SeparateActors.swift SeparateActorsWallet.transfer(_:from:to:)",
    "MS205 TaskInTransaction.swift closure #1 in HastyWallet.pay(_:key:)",
    "MS206 UnprotectedSequence.swift UnprotectedWallet.transfer(_:from:to:)",
    "MS501 AppActor.swift AppActor",
    "MS502 ServicesOnMain.swift InventoryManager",
    "MS502 ServicesOnMain.swift PaymentService",
    "MS503 SeparateActors.swift SeparateActorsWallet.transfer(_:from:to:)",
  ]

  private struct Document: Decodable {
    struct Finding: Decodable {
      struct Location: Decodable {
        var file: String
        var line: Int
      }
      var code: String
      var message: String
      var function: String
      var location: Location
    }
    var findings: [Finding]
  }

  @Test("finds the article's mistakes where they are made, and in the wallet itself none")
  func audit() async throws {
    let findings = try await BuiltTool.document(of: "audit", as: Document.self).findings
    let mistakes = findings.filter { $0.location.file.contains("Sources/Broken/") }
      .map { "\($0.code) \($0.location.file.split(separator: "/").last ?? "") \($0.function)" }
    #expect(mistakes.sorted() == Self.expected)
    let wallet = ["WalletKit", "WalletStore", "WalletPage", "wallet"].map { "Sources/\($0)/" }
    let others = findings.filter { finding in wallet.contains { finding.location.file.contains($0) } }
    #expect(others.map { "\($0.code) \($0.location.file):\($0.location.line) \($0.message)" } == [])
  }
}
