/// Order and identity of what a finding is made of.
import MainstayFindings
import Testing

@Suite struct FindingTests {
  @Test("severities and confidences are ordered as a person orders them") func order() {
    #expect(Severity.note < .warning && Severity.warning < .error)
    #expect(Confidence.low < .medium && Confidence.medium < .high)
    #expect(min(Confidence.high, .low) == .low)
  }

  @Test("places are ordered by file, line and column") func places() {
    let places = [("b", 1, 1), ("a", 10, 1), ("a", 9, 9), ("a", 9, 2)].map {
      SourceLocation(file: $0.0, line: $0.1, column: $0.2)
    }
    #expect(places.sorted().map(\.line) == [9, 9, 10, 1])
  }
}
