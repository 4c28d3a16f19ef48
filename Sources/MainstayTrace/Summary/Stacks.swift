import CMainstayTrace

/// The samples of a stall as a summary has them: stacks of functions, innermost first, down to the job itself.
struct Stacks {
  let samples: [RunSummary.Sample]
  /// The async functions that awaited the job's when it resumed, the nearest first.
  let callers: [Naming.Name]
  /// The key of the outermost function that ran, where a stack was walked that far.
  private let base: String?

  init(of stretch: UInt64, in recording: Recording, _ naming: Naming) {
    self.init(of: stretch, until: stretch, on: 0, in: recording, naming)
  }

  /// - Parameters:
  ///   - end: of a stretch in whose middle others may have run on its thread, which were sampled as stretches of their own.
  ///   - tid: of that thread.
  init(of stretch: UInt64, until end: UInt64, on tid: UInt32, in recording: Recording, _ naming: Naming) {
    let taken = recording.samples.filter {
      $0.stretch == stretch || ($0.tid == tid && $0.stretch > stretch && $0.stretch < end)
    }.sorted { $0.time < $1.time }
    var base: String?
    samples = taken.compactMap { sample in
      let state: RunSummary.Sample.State
      switch sample.state {
      case .running: state = .running
      case .blocked: state = .blocked
      case .callers: return nil
      }
      let stack = Self.frames(sample, naming)
      if sample.stretch == stretch { base = base ?? stack.base }
      let at = recording.running(from: stretch, to: sample.time)
      return RunSummary.Sample(
        state: state, atMilliseconds: recording.clock.milliseconds(at), frames: stack.frames)
    }
    let waiting = taken.first { if case .callers = $0.state { $0.stretch == stretch } else { false } }
    // They were read from the context in which the job resumed. A function that has returned since, within the same job,
    // leaves a context that may hold anything: so only what an awaited call returns to counts, up to the first that is
    // something else. `$main()` is what the compiler makes around an async `main()`.
    callers = (waiting?.frames.map { naming[$0] } ?? []).prefix { $0.isAwaitReturn || $0.isThunk }
      .filter { !$0.isThunk && !$0.path.isEmpty && !$0.function.hasSuffix(".$main()") }
    self.base = base
  }

  /// Those of the callers that wait for a job of `name`: when its function has returned to one of them within the job,
  /// that one runs.
  func waiting(_ callers: [Naming.Name], for name: Naming.Name) -> [Naming.Name] {
    guard let base, base != name.key, let running = callers.firstIndex(where: { $0.key == base }) else {
      return callers
    }
    return Array(callers[(running + 1)...])
  }

  /// The program's function that the samples share as their outermost: the job's own, when its entry has no name.
  var outermost: RunSummary.Place? { samples.first?.frames.last(where: FoldedStack.isProgram) }

  /// The frames above what runs the job: those below are the same in every stack. And the key of the outermost function
  /// of them, where the stack was walked that far.
  private static func frames(_ sample: Sample, _ naming: Naming) -> (frames: [RunSummary.Place], base: String?) {
    var frames: [RunSummary.Place] = []
    var base: String?
    for (address, kind) in sample.addresses {
      if address == UInt64(MAINSTAY_FRAME_UNKNOWN) {
        frames.append(RunSummary.Place(function: "unknown", file: "", line: 0, path: ""))
        continue
      }
      for frame in naming.stack(address, kind) {
        if isRunner(frame) { return (frames, base) }
        // The recorder stands before what it interposes: nobody called that.
        if isRecorder(frame) { continue }
        let path = frame.file ?? ""
        if !frame.isInlined { base = frame.name.key }
        frames.append(
          Naming.Name(function: frame.name.display, path: path, line: frame.line, key: frame.name.key).place)
      }
    }
    return (frames, nil)
  }

  /// Of the library that is preloaded, or linked into the program.
  private static func isRecorder(_ frame: ResolvedFrame) -> Bool {
    frame.image.hasSuffix("/libmainstay-recorder.so") || frame.file?.hasSuffix("/CMainstayRecorder/interpose.c") == true
  }

  private static func isRunner(_ frame: ResolvedFrame) -> Bool {
    if isRecorder(frame) { return frame.name.display.hasPrefix("run_") || frame.name.display.hasPrefix("wrapper_") }
    guard frame.image.hasSuffix("/libswift_Concurrency.so") else { return false }
    return frame.name.display.contains("runJobInEstablishedExecutorContext") || frame.name.display == "swift_job_run"
  }
}
