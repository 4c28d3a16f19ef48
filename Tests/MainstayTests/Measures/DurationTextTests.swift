import Testing

@testable import Mainstay

@Suite("A duration for a person")
struct DurationTextTests {
  @Test(
    "has three figures in the unit of its size",
    arguments: [
      (0, "0 ns"), (1e-9, "1 ns"), (210e-9, "210 ns"), (999.4e-9, "999 ns"), (999.5e-9, "1.0 µs"), (1.25e-6, "1.3 µs"),
      (9.94e-6, "9.9 µs"), (40e-6, "40 µs"), (999.4e-6, "999 µs"), (999.5e-6, "1.00 ms"), (4e-3, "4.00 ms"),
      (9.994e-3, "9.99 ms"), (9.995e-3, "10.0 ms"), (16.667e-3, "16.7 ms"), (82.4e-3, "82.4 ms"), (99.94e-3, "99.9 ms"),
      (99.95e-3, "100 ms"), (210e-3, "210 ms"), (999.4e-3, "999 ms"), (999.5e-3, "1.00 s"), (3.9, "3.90 s"),
      (12.44, "12.4 s"), (99.94, "99.9 s"), (99.95, "100 s"), (3600, "3,600 s"), (1e7, "10,000,000 s"),
      (-0.0824, "-82.4 ms"), (.infinity, "? s"),
    ])
  func seconds(seconds: Double, text: String) { #expect(DurationText.seconds(seconds) == text) }

  @Test("is the same from milliseconds")
  func milliseconds() { #expect(DurationText.milliseconds(16.667) == DurationText.seconds(0.016667)) }

  @Test(
    "stands beside counts with their digits in groups",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (202_001, "202,001"), (-1_234_567, "-1,234,567"),
      (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func count(count: Int, text: String) { #expect(DurationText.count(count) == text) }

  @Test("says how often in words", arguments: [(1, "once"), (0, "0 times"), (2, "2 times"), (1204, "1,204 times")])
  func times(count: Int, text: String) { #expect(DurationText.times(count) == text) }
}
