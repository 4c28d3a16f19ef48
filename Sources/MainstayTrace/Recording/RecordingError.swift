/// Why a recording cannot be read. Each says which file, where in it, and what to do.
public enum RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  case unreadable(path: String, reason: String)
  case notARecording(path: String)
  case version(path: String, found: UInt32, known: UInt32)
  case machine(path: String, found: UInt32)
  /// The recorder had not finished its set-up when the process ended.
  case unfinished(path: String)
  case truncated(path: String, bytes: UInt64, needed: UInt64)
  case corrupt(path: String, offset: UInt64, what: String)

  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "cannot read \(path): \(reason)"
    case .notARecording(let path):
      "\(path) is not a Mainstay recording (it does not begin with MAINSTAY at offset 0). "
        + "Make one with: mainstay run --recording FILE -- PROGRAM"
    case .version(let path, let found, let known):
      "\(path) is a recording of format version \(found) (at offset 8); this mainstay reads version \(known). "
        + "Read it with the mainstay that made it, or record again."
    case .machine(let path, let found):
      "\(path) was recorded on machine type \(found) (at offset 16); this mainstay reads x86-64 recordings (62)."
    case .unfinished(let path):
      "\(path) holds no recording yet: its program ended while the recorder was starting. Run it again."
    case .truncated(let path, let bytes, let needed):
      "\(path) is cut off: it has \(bytes) bytes where at least \(needed) are needed. Copy it again, or record again."
    case .corrupt(let path, let offset, let what):
      "\(path) is damaged at offset \(offset): \(what). Record again."
    }
  }
}
