#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How wide text for a person may be.
package enum TerminalWidth {
  /// The columns of the terminal that a descriptor is, from 40 to 120; 80 where it is none.
  package static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return min(max(Int(size.ws_col), 40), 120)
  }
}
