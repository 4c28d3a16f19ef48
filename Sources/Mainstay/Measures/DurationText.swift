/// How every duration that a person sees is written: three figures, in the unit that suits its size.
package enum DurationText {
  /// `82.4 ms`, `40 µs`, `3.9 s`, `210 ns`.
  package static func seconds(_ seconds: Double) -> String {
    let size = abs(seconds)
    if size >= 99.95 { return figures(seconds, 0) + " s" }
    if size >= 0.9995 { return figures(seconds, size >= 9.995 ? 1 : 2) + " s" }
    if size >= 0.9995e-3 { return figures(seconds * 1e3, size >= 99.95e-3 ? 0 : size >= 9.995e-3 ? 1 : 2) + " ms" }
    if size >= 0.9995e-6 { return figures(seconds * 1e6, size >= 9.995e-6 ? 0 : 1) + " µs" }
    return figures(seconds * 1e9, 0) + " ns"
  }

  package static func of(_ length: Duration) -> String { seconds(length / .seconds(1)) }

  package static func milliseconds(_ milliseconds: Double) -> String { seconds(milliseconds / 1e3) }

  /// A count with its digits in groups: `1,204`.
  package static func count(_ count: Int) -> String {
    var digits = Array(String(count.magnitude))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return (count < 0 ? "-" : "") + String(digits)
  }

  package static func times(_ count: Int) -> String { count == 1 ? "once" : "\(DurationText.count(count)) times" }

  private static func figures(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return "?" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let rounded = (abs(value) * scale).rounded()
    let whole = Int(rounded / scale)
    let sign = value < 0 && rounded > 0 ? "-" : ""
    guard decimals > 0 else { return sign + count(whole) }
    let fraction = String(Int(rounded - Double(whole) * scale))
    return sign + count(whole) + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }
}
