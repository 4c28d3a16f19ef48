import Foundation
import MainstayTrace
import Testing

/// The text for a person, against what it was when somebody read it and found it good: `Tests/Fixtures/Summaries` has
/// documents, and beside each the text at some widths. To accept a change, run these tests with
/// `MAINSTAY_ACCEPT_TEXT=1` and read the difference.
@Suite("The text of a summary")
struct SummaryTextTests {
  static let documents = ["everything", "undrained", "well"]
  static let widths = [60, 80, 120]

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/Summaries")

  private func summary(_ name: String) throws -> RunSummary {
    let data = try Data(contentsOf: Self.folder.appending(path: "\(name).json"))
    return try JSONDecoder().decode(RunSummary.self, from: data)
  }

  @Test("is as it was read and found good, at every width", arguments: documents, widths)
  func golden(name: String, width: Int) throws {
    let text = try summary(name).text(width: width) + "\n"
    let file = Self.folder.appending(path: "\(name).\(width).txt")
    if ProcessInfo.processInfo.environment["MAINSTAY_ACCEPT_TEXT"] != nil { try Data(text.utf8).write(to: file) }
    let expected = try? String(contentsOf: file, encoding: .utf8)
    #expect(text == expected, "accept it with MAINSTAY_ACCEPT_TEXT=1, or:\n\(text)")
  }

  @Test("stays within its columns and has no colour", arguments: documents, [40, 60, 79, 80, 100, 120])
  func fits(name: String, width: Int) throws {
    let text = try summary(name).text(width: width)
    let lines = text.components(separatedBy: "\n")
    // On 40 columns a long name stands alone on its line, and is not cut.
    if width >= 60 { #expect(lines.allSatisfy { $0.count <= width }, "\(lines.filter { $0.count > width })") }
    #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    #expect(lines.allSatisfy { $0.last != " " }, "\(lines.filter { $0.last == " " })")
  }

  @Test("has a row for everything that a document can say, and each ends in what to do")
  func actions() throws {
    let text = try summary("everything").text(width: 120)
    let rows: [(label: String, action: String)] = [
      ("Not seen", "'mainstay doctor PROGRAM' says why, and what to do"),
      ("Ended", "Let it be nonisolated and hop, or call it on ImportActor ('mainstay explain trapping_callback')"),
      ("Waiting", "a loop that no longer drains the main queue"), ("Train", "or pause between (FrameSlicer)"),
      ("Pool starved", "Await instead of blocking, or block on a thread of your own"),
      ("Interleaved", "Check again after the await what was decided before it"),
      ("Hops", "Do the loop on the other side, or send many values at once"),
      ("Tasks", "or let one task take them from a stream"), ("Waiting", "Resume it on every path"),
      ("Boundary", "Correct the caller, or make it a HoppingBoundary"), ("Cannot tell", "Use a HoppingBoundary there"),
      ("Order", "or use a HoppingBoundary"), ("Not exercised", "Run what calls them"),
      ("Children", "describe one with --only NAME"), ("Not visible", "submit them without one to have them measured"),
    ]
    let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var rest = flat[...]
    for (label, action) in rows {
      let found = try #require(rest.firstRange(of: " \(label) "), "no row '\(label)' behind the others")
      rest = rest[found.upperBound...]
      let end = try #require(rest.firstRange(of: action), "'\(label)' does not end in '\(action)'")
      rest = rest[end.upperBound...]
    }
    #expect(rest.contains("(raise --memory)"))
    #expect(flat.contains("Next: move the work of CatalogueFile.parse(_:) (CatalogueFile.swift:14) off the main actor"))
    #expect(flat.contains("the main actor") && !flat.contains("unknown"))
  }

  @Test("of a stall says who awaits it, the nearest first")
  func asyncCallers() throws {
    let text = try summary("everything").text(width: 100)
    #expect(text.contains("awaited by SearchModel.refresh(_:) ← App.main()"))
    #expect(text.contains("SearchModel.swift:52"))
  }
}
