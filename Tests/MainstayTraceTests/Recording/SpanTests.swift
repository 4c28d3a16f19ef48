import CMainstayTrace
import Testing

@Suite("A span of ticks in 32 bits")
struct SpanTests {
  /// Around each power of two, and between: every octave of 64 bits.
  static let values: [UInt64] = (0..<64).flatMap { octave -> [UInt64] in
    let low = UInt64(1) << octave
    return [low - 1, low, low + 1, low + low / 2, low &+ (low - 1)]
      + (0..<64).map { low | (low - 1) & (0x9e37_79b9_7f4a_7c15 &* UInt64($0 + 1)) }
  }

  @Test("is exact below 2^26, and within 2^-25 of the value, never above it, in every octave")
  func accuracy() {
    for value in Self.values {
      let back = mainstay_span_ticks(mainstay_span(value))
      if value < 1 << 26 {
        #expect(back == value)
      } else {
        #expect(back <= value && value - back <= value >> 25, "\(value) became \(back)")
      }
    }
  }

  @Test("grows with its value, and is never taken for an unknown one")
  func order() {
    let spans = Self.values.sorted().map(mainstay_span)
    #expect(zip(spans, spans.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(!spans.contains(MAINSTAY_SPAN_UNKNOWN))
    #expect(mainstay_span_ticks(MAINSTAY_SPAN_UNKNOWN) == .max)
  }

  @Test("that nobody writes gives a number all the same")
  func foreign() {
    for exponent in UInt32(0)..<64 {
      for bits: UInt32 in [0, 1, 0x3ff_ffff] { _ = mainstay_span_ticks((exponent << 26) | bits) }
    }
  }
}
