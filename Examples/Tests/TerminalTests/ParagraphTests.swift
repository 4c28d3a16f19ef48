import Terminal
import Testing

@Suite("A paragraph")
struct ParagraphTests {
  @Test("words are broken at the width, and a long word stays whole")
  func paragraph() {
    #expect(Paragraph.wrapped("one two three", width: 7) == "one two\nthree")
    #expect(Paragraph.wrapped("one incomprehensible two", width: 7) == "one\nincomprehensible\ntwo")
    #expect(Paragraph.wrapped("one two", width: nil) == "one two")
    #expect(Paragraph.wrapped("one two three", width: 7, indent: 3) == "one two\n   three")
  }

  @Test("a message has lines of at most 80 columns on a terminal, the others moved in, and is one line in a file")
  func message() {
    let words = Array(repeating: "word", count: 60).joined(separator: " ")
    #expect(Paragraph.message(words, width: nil) == words)
    for (width, most) in [(40, 40), (80, 80), (200, 80)] {
      let lines = Paragraph.message(words, width: width).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= most } && lines[1].count + " word".count > most)
      #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  word") })
      #expect(lines.joined(separator: " ").split(separator: " ").count == 60)
    }
  }

  @Test("what fits stays as it is, spaces included")
  func fits() {
    #expect(Paragraph.message("\"a  b\" is no name", width: 60) == "\"a  b\" is no name")
  }
}
