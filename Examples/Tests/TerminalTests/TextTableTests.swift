import Terminal
import Testing

@Suite("A table of text")
struct TextTableTests {
  private let table = TextTable(
    [
      TextTable.Column(""), TextTable.Column("frames later", "average", isNumber: true),
      TextTable.Column("merged", isNumber: true),
    ], rows: [["asserted", "0.00", "0"], ["task per value", "1.40", "38"]])

  @Test("has columns, numbers to the right, and no space at the end of a line")
  func columns() {
    let text = """
                      frames later
                           average  merged
      asserted                0.00       0
      task per value          1.40      38
      """
    #expect(table.text(width: nil) == text)
    #expect(table.text(width: 36) == text)
  }

  @Test("puts the cells of a row beneath each other where the columns have no room")
  func narrow() {
    #expect(
      table.text(width: 35) == """
        asserted
          frames later average  0.00
          merged                0
        task per value
          frames later average  1.40
          merged                38
        """)
  }
}
