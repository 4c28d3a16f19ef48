import CMainstayTrace
import Foundation

/// The moment a recorded process was seen to have ended, for those that could not note it themselves.
public struct RecordingEnd: Sendable {
  private let clock: (ticks: UInt64, nanoseconds: UInt64)

  public static func now() -> RecordingEnd { RecordingEnd(clock: (mainstay_ticks(), monotonicNanoseconds())) }

  /// Writes the moment into a recording that its process left open. What is not such a recording is left alone.
  public func complete(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var header = mainstay_header()
    let read = withUnsafeMutableBytes(of: &header) { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard read == MemoryLayout<mainstay_header>.size, string(header.magic) == MAINSTAY_TRACE_MAGIC,
      header.version == MAINSTAY_TRACE_VERSION, header.state == MAINSTAY_STATE_RECORDING.rawValue,
      clock.ticks > header.started.ticks, kill(pid_t(bitPattern: header.pid), 0) != 0,
      let offset = MemoryLayout<mainstay_header>.offset(of: \.latest)
    else { return }
    var latest = mainstay_clock(ticks: clock.ticks, nanoseconds: clock.nanoseconds)
    _ = withUnsafeBytes(of: &latest) { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
  }
}
