/// The map of a package with three layers is the table that its isolation draws.
import Foundation
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct ArchitectureMapTests {
  private func map() throws -> ArchitectureMap {
    let folder = FixtureExpectation.package + "/Sources/Layers"
    var options = AuditOptions.uncached(folder)
    options.sourceOnly = true
    return try Audit.map(options).map
  }

  @Test("the three layers of the wallet are the layer table") func layers() throws {
    let map = try map()
    var table: [String: [String]] = [:]
    for domain in map.domains { table["\(domain.layer.rawValue) \(domain.name)"] = domain.types }
    #expect(
      table == [
        "ui MainActor": ["WalletViewModel"],
        "domain WalletActor": ["BalanceStore", "LedgerRepository", "WalletService"],
        "infrastructure nonisolated": ["FraudAPI", "NetworkClient"],
      ])
    #expect(map.domains.map(\.layer) == [.ui, .domain, .infrastructure])
  }

  @Test("each await that leaves its domain is a crossing with its site") func crossings() throws {
    let crossings = try map().crossings
    #expect(
      crossings.map { "\($0.from) \($0.to) \($0.count)" } == ["MainActor WalletActor 1", "MainActor nonisolated 1"])
    #expect(crossings[0].sites[0].callee == "WalletService.transfer(_:from:to:)")
    #expect(crossings[0].sites[0].location.line > 0)
  }

  @Test("the text keeps within its columns", arguments: [40, 60, 100]) func width(_ width: Int) throws {
    var map = try map()
    map.domains[1].types = (1...30).map { "VeryImportantType\($0)" }
    let lines = MapText.text(map, width: width).split(separator: "\n")
    let inner = lines.filter { $0.count > width && $0.drop { $0 == " " }.contains(" ") }
    #expect(inner.allSatisfy { $0.contains(" at ") }, "\(inner)")
    #expect(lines.contains { $0.contains("VeryImportantType30") && !$0.hasSuffix(",") })
  }

  @Test(
    "an actor is not in its own room, types inside others are counted with them, and a picture says how many it leaves out"
  )
  func rooms() {
    let box = (1...4).map { "Box.Part\($0)" } + ["Box.Part1.Inner"]
    let map = ArchitectureMap(
      domains: [
        .init(name: "Store", kind: "actor", layer: .domain, types: ["Store", "Store.Entry"], functions: 2),
        .init(
          name: "nonisolated", kind: "none", layer: .infrastructure,
          types: (["Box", "Other"] + box + (1...5).map { "T\($0)" }).sorted(), functions: 9),
      ],
      crossings: [
        .init(
          from: "Store", to: "nonisolated",
          sites: [
            .init(
              function: "f()", callee: "Box.g()", location: SourceLocation(file: "Sources/A.swift", line: 3, column: 1))
          ])
      ])
    let text = MapText.text(map, folder: "Part/")
    #expect(text.contains("actor Store  Store.Entry\n"))
    #expect(text.contains("Box (5 inside), Other, T1, T2, T3, T4, T5\n"))
    #expect(text.contains("at Part/Sources/A.swift:3"))
    #expect(MapText.mermaid(map).contains("[\"actor Store<br/>Store.Entry\"]"))
    #expect(MapText.mermaid(map).contains("<br/>and 4 more\"]") && MapText.dot(map).contains("\\nand 4 more\"]"))
  }

  @Test("observers and accessors of a property belong to its type") func observers() {
    #expect(Program.enclosingType("Server.state.didset") == "Server")
    #expect(Program.enclosingType("closure #1 in Server.state.willset") == "Server")
    #expect(Program.enclosingType("Server.Part.state.modify2") == "Server.Part")
    #expect(Program.memberName("Server.state.didset") == "state")
  }

  @Test("every format names every domain and crossing") func formats() throws {
    let map = try map()
    #expect(MapText.text(map).contains("@WalletActor  BalanceStore, LedgerRepository, WalletService"))
    let root = try JSONSerialization.jsonObject(with: Data(MapText.json(map).utf8)) as? [String: Any]
    #expect(root?["schema"] as? String == "mainstay.map/1")
    #expect((root?["domains"] as? [[String: Any]])?.count == 3)
    #expect((root?["crossings"] as? [[String: Any]])?.first?["count"] as? Int == 1)
    #expect(MapText.mermaid(map).hasPrefix("flowchart TB\n"))
    #expect(MapText.mermaid(map).contains("d0 -- \"1\" --> d1"))
    #expect(MapText.dot(map).contains("d0 -> d1 [label=\"1\"];"))
  }
}
