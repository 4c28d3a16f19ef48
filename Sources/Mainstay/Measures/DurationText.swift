/// How the reports of this library write a length of time: three figures and a unit.

extension Duration {
  /// `412 ns`, `8.05 µs`, `16.7 ms`, `1.2 s`: three figures, rounded to the nearest, in the largest unit that is at least
  /// one; without zeros at the end of a fraction.
  var shortText: String {
    guard self >= .zero else { return "-\((.zero - self).shortText)" }
    let nanoseconds = (attoseconds + 500_000_000) / 1_000_000_000
    var unit: Int128 = 1
    for name in ["ns", "µs", "ms"] {
      // Rounded to three figures, 999.5 is a thousand: one of the next unit.
      if nanoseconds * 2 < unit * 1_999 { return Self.figures(nanoseconds, of: unit) + " \(name)" }
      unit *= 1_000
    }
    return Self.figures(nanoseconds, of: unit) + " s"
  }

  private static func figures(_ amount: Int128, of unit: Int128) -> String {
    let places: Int128 = amount < unit * 10 ? 100 : amount < unit * 100 ? 10 : 1
    let (whole, fraction) = ((amount * places + unit / 2) / unit).quotientAndRemainder(dividingBy: places)
    guard fraction > 0 else { return "\(whole)" }
    var digits = "\(places + fraction)".dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
