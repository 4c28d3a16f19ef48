import MainstayTrace

#if os(Linux) && arch(x86_64)
  import CMainstayRecorder
#endif

extension Recording {
  /// Why nothing is recorded, or cannot be read. The program is as it would be without.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// `start` was called before, or this process is recorded for another purpose, such as its tests' frame budgets.
    case alreadyStarted
    case notStarted
    /// An option that cannot be: its name, and what is wrong with it.
    case option(String, String)
    /// The recorder does not know this process well enough; a clause that follows "this process".
    case declined(String)
    case cannotWrite(path: String, reason: String)
    /// A file that is no recording stands where one is to be written.
    case exists(path: String)
    case unreadable(RecordingError)
    case unsupportedPlatform

    public var description: String {
      switch self {
      case .alreadyStarted:
        "this process is recorded already: call Recording.stop() first, or Recording.summary() for what there is"
      case .notStarted: "nothing is recorded: call Recording.start() first"
      case .option(let name, let problem): "\(name): \(problem)"
      case .declined(let reason):
        "this process cannot be recorded: it \(reason). 'mainstay doctor' says what is needed"
      case .cannotWrite(let path, let reason):
        "\(path) cannot be written: \(reason). Name a file in a folder that can be written, or set TMPDIR"
      case .exists(let path): "\(path) exists and is not a recording; it is left alone. Name another file"
      case .unreadable(let error): "\(error)"
      case .unsupportedPlatform:
        "recording is for Linux on x86-64 with Swift 6.3. The program runs as it is; measure it there"
      }
    }
  }
}

#if os(Linux) && arch(x86_64)
  extension Recording.Failure {
    init(_ status: mainstay_status, path: String, reason: String) {
      switch status {
      case MAINSTAY_CANNOT_WRITE: self = .cannotWrite(path: path, reason: reason)
      case MAINSTAY_ALREADY_RECORDING: self = .alreadyStarted
      default: self = .declined(RecorderStatus.reason(status.rawValue) ?? "gives no reason")
      }
    }
  }
#endif
