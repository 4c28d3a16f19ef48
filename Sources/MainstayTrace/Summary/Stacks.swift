import CMainstayTrace

/// The samples of a stall as a summary has them: stacks of functions, innermost first, down to the job itself.
struct Stacks {
  let samples: [RunSummary.Sample]
  /// The async functions that await the job's, the nearest first.
  let callers: [Naming.Name]

  init(of stretch: UInt64, in recording: Recording, _ naming: Naming) {
    let taken = recording.samples.filter { $0.stretch == stretch }.sorted { $0.time < $1.time }
    samples = taken.compactMap { sample in
      let state: RunSummary.Sample.State
      switch sample.state {
      case .running: state = .running
      case .blocked: state = .blocked
      case .callers: return nil
      }
      return RunSummary.Sample(state: state, frames: Self.frames(sample, naming))
    }
    callers =
      taken.first { if case .callers = $0.state { true } else { false } }.map { sample in
        sample.frames.map { naming[$0] }.filter { !$0.isThunk && !$0.path.isEmpty }
      } ?? []
  }

  /// The program's function that the samples share as their outermost: the job's own, when its entry has no name.
  var outermost: RunSummary.Place? { samples.first?.frames.last { !$0.path.isEmpty && $0.line > 0 } }

  /// The frames above what runs the job: those below are the same in every stack.
  private static func frames(_ sample: Sample, _ naming: Naming) -> [RunSummary.Place] {
    var frames: [RunSummary.Place] = []
    for (address, kind) in sample.addresses {
      for frame in naming.stack(address, kind) {
        if isRunner(frame) { return frames }
        let path = frame.file ?? ""
        frames.append(
          Naming.Name(function: frame.name.display, path: path, line: frame.line, key: frame.name.key).place)
      }
    }
    return frames
  }

  private static func isRunner(_ frame: ResolvedFrame) -> Bool {
    if frame.image.hasSuffix("/libmainstay-recorder.so") { return true }
    guard frame.image.hasSuffix("/libswift_Concurrency.so") else { return false }
    return frame.name.display.contains("runJobInEstablishedExecutorContext") || frame.name.display == "swift_job_run"
  }
}
