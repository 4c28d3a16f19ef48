import CMainstayTrace

/// What a thread was seen to do in the middle of a long stretch on the main actor.
struct Sample {
  enum State {
    case running
    /// In the system call of this number.
    case blocked(call: UInt64)
    /// No stack: the async functions that wait for the job, innermost first.
    case callers
  }

  /// When the stretch began, in ticks: what it shares with its stall.
  let stretch: UInt64
  /// The thread that ran it.
  let tid: UInt32
  let time: UInt64
  let state: State
  let frames: [UInt64]

  init?(_ sample: mainstay_sample) {
    guard sample.stretch != 0 else { return nil }
    switch UInt32(sample.state) {
    case MAINSTAY_SAMPLE_RUNNING.rawValue: state = .running
    case MAINSTAY_SAMPLE_BLOCKED.rawValue: state = .blocked(call: sample.call)
    case MAINSTAY_SAMPLE_CALLERS.rawValue: state = .callers
    default: return nil
    }
    stretch = sample.stretch
    tid = sample.tid
    time = sample.time
    frames = withUnsafeBytes(of: sample.frames) {
      Array($0.bindMemory(to: UInt64.self).prefix(Int(min(sample.count, UInt16(MAINSTAY_SAMPLE_FRAMES)))))
    }
  }

  /// Each frame with how it is to be looked up: where a thread stands is exact, and where a caller goes on is behind its
  /// call.
  var addresses: [(address: UInt64, kind: AddressKind)] {
    switch state {
    case .callers: frames.map { ($0, .exact) }
    case .running, .blocked: frames.enumerated().map { ($0.element, $0.offset == 0 ? .exact : .returnAddress) }
    }
  }
}
