/// A sampled stack reduced to what a person looks for: the innermost function of the program, and the call that it is in.
struct FoldedStack: Equatable {
  let state: RunSummary.Sample.State
  /// What the program's function called; nil when it ran itself.
  let called: String?
  let function: RunSummary.Place

  /// Nil when no frame is the program's own.
  init?(_ sample: RunSummary.Sample) {
    guard let index = sample.frames.firstIndex(where: Self.isProgram) else { return nil }
    state = sample.state
    function = sample.frames[index]
    // Names of the C library's insides say less than the function that was called.
    called = index == 0 ? nil : sample.frames[index - 1].function
  }

  /// The one that most samples have; of several the later.
  static func most(of samples: [RunSummary.Sample]) -> FoldedStack? {
    let folded = samples.compactMap(FoldedStack.init)
    return folded.max { a, b in folded.count { $0 == a } < folded.count { $0 == b } }
  }

  /// Whether a frame is of code that is built here: it has lines, and they are not of the toolchain's or system's build.
  private static func isProgram(_ frame: RunSummary.Place) -> Bool {
    let elsewhere = ["/usr/", "/home/build-user/", "./", "../", "<"]
    return !frame.path.isEmpty && frame.line > 0 && frame.path.hasPrefix("/")
      && !elsewhere.contains { frame.path.hasPrefix($0) }
  }
}
