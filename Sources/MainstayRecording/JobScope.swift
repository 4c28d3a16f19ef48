import Mainstay
import MainstayTrace

#if os(Linux) && arch(x86_64)
  import CMainstayRecorder
#endif

/// The main-actor jobs of one task and of everything that it began: its children, the tasks that those made, detached ones
/// too, and blocks that any of them put into the main queue.
///
/// Opened and closed in one task; asked from anywhere.
package struct JobScope: Sendable {
  /// A main-actor job or main-queue block.
  package struct Job: Sendable {
    /// Running or blocked: without the time in which it waited for a processor.
    package let length: Duration
    package let isBlock: Bool
    let start: UInt64
    let function: UInt64
    let origin: Int
  }

  package struct Report: Sendable {
    /// Jobs and blocks that have ended.
    package var jobs = 0
    /// Of these, over the budget.
    package var over = 0
    package var droppedFrames = 0
    /// The longest of them, in falling order.
    package var longest: [Job] = []
    /// Tasks and blocks that were begun and have not ended.
    package var unfinished = 0
    /// Jobs that are queued or running now, without the caller's own.
    package var busy = 0
  }

  #if os(Linux) && arch(x86_64)
    private let recorder: RecorderReference
    private let number: UInt32
    private let previous: UInt64

    /// Opens a scope for the task that calls, and starts to record when nobody does.
    package init(_ budget: FrameBudget) throws(Recording.Failure) {
      recorder = RecorderReference(interface: try Recording.recorderForScopes())
      var previous: UInt64 = 0
      let nanoseconds = UInt64(max((budget.interval / .nanoseconds(1)).rounded(), 1))
      number = recorder.interface.pointee.scope_open(nanoseconds, &previous)
      self.previous = previous
      guard number != 0 else {
        throw .declined("has a Swift runtime of which too little can be seen to tell whose job it is")
      }
    }

    package func close() { recorder.interface.pointee.scope_close(number, previous) }

    /// What is known now; nil when recording was stopped meanwhile.
    package var report: Report? {
      var raw = mainstay_scope_report()
      guard recorder.interface.pointee.scope_report(number, &raw) else { return nil }
      let longest = withUnsafeBytes(of: raw.longest) {
        $0.bindMemory(to: mainstay_scope_job.self).prefix(Int(raw.kept)).map(Job.init)
      }
      return Report(
        jobs: Int(clamping: raw.jobs), over: Int(clamping: raw.over), droppedFrames: Int(clamping: raw.dropped_frames),
        longest: longest.sorted { ($1.length, $0.start) < ($0.length, $1.start) }, unfinished: Int(clamping: raw.live),
        busy: Int(clamping: raw.busy))
    }

    /// The job with its names and its stack, as far as they are known. Reads the recording: takes a second or so.
    package func describe(_ job: Job) throws(Recording.Failure) -> JobDescription {
      try JobDescription(
        Recording.current(recorder.interface), function: job.function, origin: job.origin, start: job.start)
    }
  #else
    package init(_ budget: FrameBudget) throws(Recording.Failure) { throw .unsupportedPlatform }
    package func close() {}
    package var report: Report? { nil }
    package func describe(_ job: Job) throws(Recording.Failure) -> JobDescription { throw .unsupportedPlatform }
  #endif
}

#if os(Linux) && arch(x86_64)
  /// A recorder's functions: constants, of code that stays.
  private struct RecorderReference: @unchecked Sendable {
    let interface: UnsafePointer<mainstay_recorder_interface>
  }

  extension JobScope.Job {
    init(_ job: mainstay_scope_job) {
      length = .nanoseconds(Int64(clamping: job.run_nanoseconds))
      isBlock = UInt32(job.kind) == MAINSTAY_KIND_BLOCK.rawValue
      (start, function, origin) = (job.start, job.function, Int(job.origin))
    }
  }
#endif
