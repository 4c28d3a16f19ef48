/// How wide text for a person may be.
import Foundation

public enum TerminalWidth {
  /// The columns of the terminal that a descriptor is, at least 40; nil where it is none, so that a file has whole lines.
  public static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return max(Int(size.ws_col), 40)
  }
}
