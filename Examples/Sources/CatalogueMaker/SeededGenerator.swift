/// Random numbers that are the same on every machine and in every year, which the standard library does not promise.

/// SplitMix64 (Steele, Lea and Flood, 2014), with its own reductions: the catalogue made from a seed is a fact.
struct SeededGenerator: Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to `bound`, which is below 2³².
  mutating func number(below bound: Int) -> Int {
    Int(((next() >> 32) * UInt64(bound)) >> 32)
  }

  mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + number(below: range.count)
  }

  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  /// True once in `odds` times.
  mutating func oneIn(_ odds: Int) -> Bool {
    number(below: odds) == 0
  }
}
