import Testing

@testable import Mainstay

@Suite("A length of time in a report")
struct DurationTextTests {
  @Test(
    "has three figures and the largest unit that is at least one",
    arguments: [
      (Duration.zero, "0 ns"), (.nanoseconds(1), "1 ns"), (.nanoseconds(999), "999 ns"), (.nanoseconds(1_000), "1 µs"),
      (.nanoseconds(1_234), "1.23 µs"), (.nanoseconds(1_235), "1.24 µs"), (.nanoseconds(9_996), "10 µs"),
      (.nanoseconds(99_960), "100 µs"), (.nanoseconds(999_499), "999 µs"), (.nanoseconds(999_500), "1 ms"),
      (.microseconds(16_667), "16.7 ms"), (.microseconds(16_000), "16 ms"), (.milliseconds(307), "307 ms"),
      (.microseconds(999_600), "1 s"), (.milliseconds(1_250), "1.25 s"), (.seconds(75), "75 s"),
      (.seconds(86_400), "86400 s"), (.milliseconds(-20), "-20 ms"),
    ])
  func text(length: Duration, text: String) {
    #expect(length.shortText == text)
  }
}
