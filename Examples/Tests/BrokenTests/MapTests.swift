import BuiltTool
import Foundation
import Testing

/// What `mainstay map` draws of Gallery is the layer table of the article on domains.
@Suite(
  "The map of Gallery", .timeLimit(.minutes(30)),
  .enabled(if: BuiltTool.isHere, "the tool is not built; make test builds it first"))
struct MapTests {
  private struct Document: Decodable {
    struct Domain: Decodable {
      var name: String
      var kind: String
      var layer: String
      var types: [String]
    }
    struct Crossing: Decodable {
      var from: String
      var to: String
    }
    var domains: [Domain]
    var crossings: [Crossing]
  }

  /// Drawn once, for all tests.
  private static let map = Task { try await BuiltTool.document(of: "map", as: Document.self) }

  @Test("has the article's three layers: screens on the main actor, each rule on its own actor, the slow work on none")
  func layers() async throws {
    let map = try await Self.map.value
    let others = try Self.mistakesAndTrials()
    func types(_ domain: String, _ layer: String) throws -> Set<String> {
      let found = try #require(map.domains.first { $0.name == domain }, "\(domain) is not on the map")
      #expect(found.layer == layer, "\(domain)")
      return Set(found.types).subtracting(others)
    }
    let screens = try types("MainActor", "ui")
    let models: Set = [
      "SearchModel", "ThumbnailsModel", "PlaybackModel", "PaletteModel", "FeedModel", "WalletViewModel",
    ]
    #expect(models.subtracting(screens) == [])
    #expect(try types("WalletActor", "domain") == ["BalanceStore", "LedgerRepository", "WalletService"])
    #expect(try types("CheckoutActor", "domain") == ["CheckoutService", "Inventory", "OrderBook"])
    let infrastructure = try types("nonisolated", "infrastructure")
    // Network clients, the fraud check, the disk.
    let slow: Set = [
      "HTTPArticleService", "ApprovalDesk", "LimitChecker", "SQLiteJournalStore", "PostgresTransferStore",
      "CatalogueFile", "PlaybackFile",
    ]
    #expect(slow.subtracting(infrastructure) == [])
    #expect(screens.isDisjoint(with: slow))
  }

  @Test("has the article's one arrow down from the screen into the wallet, and none from a rule up to a screen")
  func crossings() async throws {
    let map = try await Self.map.value
    #expect(map.crossings.contains { $0.from == "MainActor" && $0.to == "WalletActor" })
    let domains = Set(map.domains.filter { $0.layer == "domain" }.map(\.name))
    #expect(domains.isSuperset(of: ["WalletActor", "CheckoutActor"]))
    #expect(!map.crossings.contains { domains.contains($0.from) && $0.to == "MainActor" })
    #expect(!map.crossings.contains { $0.from == "WalletActor" && $0.to == "CheckoutActor" })
  }

  /// The types of the deliberate mistakes and of what measures them: no part of the application.
  private static func mistakesAndTrials() throws -> Set<String> {
    var names: Set<String> = []
    for target in ["Broken", "WalletTrials"] {
      let folder = URL(filePath: BuiltTool.examples).appending(path: "Sources/\(target)")
      for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /(?m)^(?:[a-z]+ )*(?:class|struct|actor|enum) (\w+)/) {
          names.insert(String(match.1))
        }
      }
    }
    try #require(names.isSuperset(of: ["AwaitInsideWallet", "BusyCheckout", "AppWallet"]))
    return names
  }
}
