/// How the application writes a length of time.
import Foundation

extension Duration {
  /// `81.9 ms`, `0.4 ms`, `1.2 s`.
  var text: String {
    let milliseconds = self / .milliseconds(1)
    return milliseconds < 1000
      ? String(format: milliseconds < 100 ? "%.1f ms" : "%.0f ms", milliseconds)
      : String(format: "%.1f s", milliseconds / 1000)
  }
}

extension Int {
  /// `1 frame`, `4 frames`.
  var frames: String { self == 1 ? "1 frame" : "\(self) frames" }

  /// `52,000`.
  var grouped: String {
    var digits = String(self)
    var place = digits.index(digits.endIndex, offsetBy: -3, limitedBy: digits.startIndex)
    while let at = place, at > digits.startIndex {
      digits.insert(",", at: at)
      place = digits.index(at, offsetBy: -3, limitedBy: digits.startIndex)
    }
    return digits
  }
}
