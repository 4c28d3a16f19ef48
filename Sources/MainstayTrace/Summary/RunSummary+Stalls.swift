import CMainstayTrace
import Mainstay

/// What overran on the main actor: what ended, and what still ran when the process ended without saying so.
extension RunSummary {
  static func stalls(_ recording: Recording, _ history: TaskHistory, _ naming: Naming) -> [Stall] {
    func inherited(_ task: UInt64) -> String? {
      guard let executor = history.inherited[task], executor < recording.executors.count else { return nil }
      let type = Int(recording.executors[executor].type)
      return type < recording.executorTypes.count ? executorName(recording, type) : nil
    }
    let frames = FrameBudget(interval: recording.frameInterval)
    var found: [(ticks: UInt64, stall: Stall)] = recording.stalls.map { raw in
      let length = recording.running(from: raw.start, for: raw.length)
      let name = naming.name(function(recording, raw.function).address, origin: Int(raw.origin))
      let stall = Stall(
        kind: raw.kind == MAINSTAY_KIND_BLOCK.rawValue ? .block : .job,
        startSeconds: recording.clock.secondsSinceStart(raw.start),
        lengthMilliseconds: recording.clock.milliseconds(length),
        droppedFrames: frames.droppedFrames(for: recording.clock.duration(length)), name: name, task: raw.task,
        priority: raw.priority, createdAt: naming.origin(Int(raw.origin))?.site, inheritedFrom: inherited(raw.task),
        stacks: Stacks(of: raw.start, until: raw.end, on: raw.tid, in: recording, naming), open: false)
      return (length, stall)
    }
    if !recording.isFinished, recording.header.latest.ticks > recording.header.started.ticks {
      for thread in recording.threads {
        guard var stall = open(thread, recording, naming, frames) else { continue }
        stall.inheritedFrom = inherited(stall.task)
        found.append((recording.running(from: thread.whole, to: recording.header.latest.ticks), stall))
      }
    }
    return found.filter { recording.clock.duration($0.ticks) > recording.budget }
      .sorted { ($1.ticks, $0.stall.startSeconds) < ($0.ticks, $1.stall.startSeconds) }.map(\.stall)
  }

  /// What ran on the main actor when the process ended without saying so.
  private static func open(
    _ thread: mainstay_thread, _ recording: Recording, _ naming: Naming, _ frames: FrameBudget
  ) -> Stall? {
    let function = function(recording, thread.function)
    let end = recording.header.latest.ticks
    guard thread.start != 0, thread.whole < end, thread.whole != 0,
      function.executorType == Int(MAINSTAY_EXECUTOR_MAIN.rawValue)
    else {
      return nil
    }
    let length = recording.running(from: thread.whole, to: end)
    let name = naming.name(function.address, origin: Int(thread.origin))
    return Stall(
      kind: thread.kind == MAINSTAY_KIND_BLOCK.rawValue ? .block : .job,
      startSeconds: recording.clock.secondsSinceStart(thread.whole),
      lengthMilliseconds: recording.clock.milliseconds(length),
      droppedFrames: frames.droppedFrames(for: recording.clock.duration(length)),
      name: name, task: thread.task, priority: thread.priority,
      createdAt: naming.origin(Int(thread.origin))?.site, inheritedFrom: nil,
      stacks: Stacks(of: thread.whole, until: end, on: thread.tid, in: recording, naming), open: true)
  }
}

extension RunSummary.Stall {
  init(
    kind: Kind, startSeconds: Double, lengthMilliseconds: Double, droppedFrames: Int, name: Naming.Name, task: UInt64,
    priority: UInt8, createdAt: RunSummary.Place?, inheritedFrom: String?, stacks: Stacks, open: Bool
  ) {
    var name = name
    var callers = stacks.callers
    // What the library resumes goes on in the program within the same job.
    if name.isLibrary, let caller = callers.firstIndex(where: { !$0.isLibrary }) {
      name = callers[caller]
      callers.removeFirst(caller + 1)
    }
    if name.path.isEmpty, let function = stacks.outermost {
      (name.function, name.path, name.line) = (function.function, function.path, function.line)
    }
    self.init(
      kind: kind, startSeconds: startSeconds, lengthMilliseconds: lengthMilliseconds, droppedFrames: droppedFrames,
      function: name.function, file: name.file, line: name.line, task: task,
      priority: Self.name(ofPriority: priority), createdAt: createdAt, inheritedFrom: inheritedFrom,
      asyncCallers: stacks.waiting(callers, for: name).map(\.place), samples: stacks.samples, resume: name.resume,
      position: name.position,
      path: name.path, key: name.key, open: open)
  }

  /// As `TaskPriority` names them.
  private static func name(ofPriority priority: UInt8) -> String {
    switch priority {
    case 0: "unspecified"
    case 0x09: "background"
    case 0x11: "utility"
    case 0x15: "medium"
    case 0x19: "high"
    case 0x21: "userInteractive"
    default: String(priority)
    }
  }
}
