/// How the commands write a length of time.
import Foundation

enum Figure {
  static func milliseconds(_ length: Duration) -> String {
    String(format: "%.2f ms", length / .milliseconds(1))
  }
}
