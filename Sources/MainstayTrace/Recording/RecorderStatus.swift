import CMainstayTrace

/// What the recorder announces of a process.
public enum RecorderStatus {
  /// Why a process was not recorded, in a clause that follows its name; nil when it was.
  public static func reason(_ status: UInt32) -> String? {
    switch mainstay_status(rawValue: status) {
    case MAINSTAY_OK: nil
    case MAINSTAY_NO_RUNTIME: "does not load the Swift concurrency runtime"
    case MAINSTAY_UNKNOWN_LAYOUT: "has a Swift concurrency runtime of another version than 6.3"
    case MAINSTAY_STRIPPED_RUNTIME: "has a Swift concurrency runtime without its symbols"
    case MAINSTAY_THREAD_SANITIZER: "runs under ThreadSanitizer, which needs the same hooks"
    case MAINSTAY_CANNOT_WRITE: "could not write its recording"
    case MAINSTAY_ALREADY_RECORDING: "is recorded already"
    case MAINSTAY_UNSUPPORTED_CLOCK: "runs on a processor whose time stamp counter is not constant"
    default: "was not recorded, for a reason that this mainstay does not know (\(status))"
    }
  }
}
