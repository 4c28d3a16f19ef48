import CMainstayTrace

/// The crash of a program whose isolated code was called off its executor, from what its thread was asking.
extension RunSummary.FailedCheck {
  init?(_ recording: Recording, _ naming: Naming) {
    guard let check = recording.failedCheck else { return nil }
    let frames = check.callers.flatMap { naming.stack($0, .returnAddress) }
    // `assumeIsolated` is compiled into the program: who wrote it is further out.
    guard let frame = frames.first(where: { !["Swift", "_Concurrency"].contains($0.name.module) }) ?? frames.first
    else { return nil }
    let type = Int(recording.executors[check.executor].type)
    let name = Naming.Name(function: frame.name.display, path: frame.file ?? "", line: frame.line, key: frame.name.key)
    self.init(
      executor: type < recording.executorTypes.count ? RunSummary.executorName(recording, type) : "",
      function: name.function, file: name.file, line: name.line, path: name.path)
  }
}

extension Recording {
  /// What a thread was asking when the process ended without saying so: the return addresses of who asks, the innermost
  /// first, and the index of the executor.
  var failedCheck: (callers: [UInt64], executor: Int)? {
    guard !isFinished, let check = threads.first(where: { $0.tid != 0 && $0.check != 0 })?.check else { return nil }
    let (origin, executor) = (Int(check >> 16 & 0xffff), Int(check & 0xffff))
    guard origins.indices.contains(origin), executors.indices.contains(executor) else { return nil }
    let callers = origins[origin].callers
    return ([callers.0, callers.1, callers.2].filter { $0 != 0 }, executor)
  }
}
