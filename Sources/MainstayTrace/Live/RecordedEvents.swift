import CMainstayTrace

/// Which kinds of events a recording really holds, against those that its recorder found the means to see.
public struct RecordedEvents: Sendable {
  /// In the order of a job's life.
  public enum Kind: String, CaseIterable, Sendable {
    case creation = "task created, and where"
    case enqueue = "job enqueued"
    case queue = "executor of a queue"
    case start = "job started"
    case function = "function of a job"
    case hop = "suspended at a hop"
    case inlineHop = "hop made inline"
    case continuation = "continuation"
    case cancellation = "task cancelled"
    case completion = "task completed"
    case exactEnd = "exact end of a job"
    case block = "main-queue block"
    case running = "stack while running"
    case blocked = "stack while blocked"

    fileprivate var capability: mainstay_capability? {
      switch self {
      case .creation: MAINSTAY_CAN_SEE_CREATION
      case .enqueue: MAINSTAY_CAN_SEE_ENQUEUE
      case .queue: MAINSTAY_CAN_SEE_QUEUE
      case .start: MAINSTAY_CAN_SEE_START
      case .function: MAINSTAY_CAN_SEE_FUNCTION
      case .hop: MAINSTAY_CAN_SEE_SUSPEND
      case .inlineHop: MAINSTAY_CAN_SEE_INLINE_HOP
      case .continuation: MAINSTAY_CAN_SEE_CONTINUATION
      case .cancellation: MAINSTAY_CAN_SEE_CANCELLATION
      case .completion: MAINSTAY_CAN_SEE_COMPLETION
      case .exactEnd: MAINSTAY_CAN_SEE_RETURN
      case .block: MAINSTAY_CAN_SEE_BLOCKS
      case .running, .blocked: nil
      }
    }
  }

  public let seen: Set<Kind>
  /// What the self-check of the recorder found no means to see.
  public let impossible: Set<Kind>
  /// What the self-check missed in the runtime, as the recorder noted it; empty when it found everything.
  public let missing: String
  /// The version of the runtime's layout that was recognised.
  public let layout: Int
  /// Where the Swift concurrency runtime was loaded from; nil when it is linked into the executable.
  public let runtimeLibrary: String?

  public init(_ recording: Recording) {
    var seen: Set<Kind> = []
    recording.forEachRecord { record in
      switch record {
      case .stretch(let stretch):
        seen.formUnion(Self.kinds(of: stretch))
        if recording.functions[stretch.function].address != 0 { seen.insert(.function) }
      case .event(let event):
        switch event.kind {
        case MAINSTAY_KIND_CREATED: if event.origin != 0 { seen.insert(.creation) }
        case MAINSTAY_KIND_CANCELLED: seen.insert(.cancellation)
        default: break
        }
      }
    }
    if recording.executors.contains(where: { $0.queue_max > 0 }) { seen.insert(.queue) }
    for sample in recording.samples {
      switch sample.state {
      case .running: seen.insert(.running)
      case .blocked: seen.insert(.blocked)
      case .callers: break
      }
    }
    self.seen = seen
    impossible = Set(
      Kind.allCases.filter { kind in
        kind.capability.map { recording.header.capabilities & $0.rawValue == 0 } ?? false
      })
    missing = string(recording.header.note)
    layout = Int(recording.header.layout)
    runtimeLibrary = recording.modules.mappings.first { $0.path.hasSuffix("/libswift_Concurrency.so") }?.path
  }

  private static func kinds(of stretch: Stretch) -> Set<Kind> {
    var kinds: Set<Kind> = []
    switch stretch.kind {
    case MAINSTAY_KIND_BLOCK: return [.block]
    case MAINSTAY_KIND_INLINE: kinds.insert(.inlineHop)
    default: kinds.insert(.start)
    }
    if stretch.wait != nil { kinds.insert(.enqueue) }
    switch stretch.end {
    case MAINSTAY_END_HOP: kinds.insert(.hop)
    case MAINSTAY_END_COMPLETED: kinds.insert(.completion)
    case MAINSTAY_END_CONTINUATION: kinds.insert(.continuation)
    case MAINSTAY_END_RETURNED: kinds.insert(.exactEnd)
    default: break
    }
    return kinds
  }
}
