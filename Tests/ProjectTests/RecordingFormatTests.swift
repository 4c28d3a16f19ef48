import Foundation
import Testing

/// Documentation/RecordingFormat.md against the header that defines the bytes: each says all that the other says.
@Suite("Documentation/RecordingFormat.md")
struct RecordingFormatTests {
  private let header: CHeader
  private let document: String

  init() throws {
    header = try CHeader(try Project.text("Sources/CMainstayTrace/include/mainstay_trace.h"))
    document = try Project.text("Documentation/RecordingFormat.md")
    try #require(header.structures.count >= 10 && header.enumerations.count >= 4, "the header could not be read")
  }

  /// The part of the document below the heading that names something, up to the next heading.
  private func section(_ name: String) throws -> String {
    try #require(
      document.components(separatedBy: "\n### `\(name)`").dropFirst().first?.components(separatedBy: "\n#").first,
      "there is no section about \(name)")
  }

  @Test("has every field of every structure, at its place and with its size, and no other")
  func structures() throws {
    for structure in header.structures {
      let documented: [CHeader.Field] = try section(structure.name).tableRows.compactMap { row in
        guard let name = try row[2].matches(of: "^`([a-z_]+)").first else { return nil }
        return CHeader.Field(name: name, offset: Int(row[0]) ?? -1, bytes: Int(row[1]) ?? -1)
      }
      #expect(documented == structure.fields, "\(structure.name)")
      #expect(try section(structure.name).contains(", \(structure.bytes) bytes"), "\(structure.name): its size")
    }
  }

  @Test("has every member of every enumeration with its value, and no other")
  func enumerations() throws {
    for (name, members) in header.enumerations {
      let documented = try section(name).tableRows.map { row in
        "\(try row[1].matches(of: "^`([A-Z_0-9]+)").first ?? "?") = \(row[0])"
      }
      #expect(documented == members.map { "\($0.name) = \($0.value)" }, "\(name)")
    }
  }

  @Test("has every constant with its value, the version among them")
  func constants() throws {
    let rows = try section("MAINSTAY_*").tableRows
    let documented = try Dictionary(
      uniqueKeysWithValues: rows.map { row in (try row[0].matches(of: "`([A-Z_]+)").first ?? "?", row[1]) })
    let values = header.constants.mapValues { $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"u")) }
    #expect(documented == values)
    #expect(values["MAINSTAY_TRACE_VERSION"] != nil)
  }

  @Test("names nothing that the header does not")
  func nothingElse() throws {
    let known =
      header.structures.map(\.name) + Array(header.enumerations.keys) + Array(header.constants.keys) + header.functions
      + header.enumerations.values.flatMap { $0.map(\.name) }
    for name in try document.matches(of: "`(mainstay_[a-z_]+|MAINSTAY_[A-Z_0-9]+)`") {
      #expect(known.contains(name), "the header knows no \(name)")
    }
    for function in header.functions { #expect(document.contains("`\(function)`"), "\(function) is not explained") }
  }
}
