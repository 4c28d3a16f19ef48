/// A sampled stack reduced to what a person looks for: the innermost function of the program, and the call that it is in.
struct FoldedStack: Hashable {
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

  /// The stacks that a stall spent a quarter of its time in or more, the heaviest first, two at most. Samples lie ever
  /// farther apart, so each stands for the time until the next.
  static func heaviest(of stall: RunSummary.Stall) -> [FoldedStack] {
    let samples = stall.samples
    var weights: [FoldedStack: Double] = [:]
    var first: [FoldedStack: Int] = [:]
    for (index, sample) in samples.enumerated() {
      guard let folded = FoldedStack(sample) else { continue }
      let from = index == 0 ? 0 : sample.atMilliseconds
      let to = index + 1 < samples.count ? samples[index + 1].atMilliseconds : stall.lengthMilliseconds
      weights[folded, default: 0] += max(to - from, 0)
      first[folded] = first[folded] ?? index
    }
    let sorted = weights.sorted { ($1.value, first[$0.key] ?? 0) < ($0.value, first[$1.key] ?? 0) }
    let enough = weights.values.reduce(0, +) / 4
    return sorted.enumerated().filter { $0.offset == 0 || $0.offset == 1 && $0.element.value >= enough }.map(
      \.element.key)
  }

  /// Whether a frame is of code that is built here: it has lines, and they are not of the toolchain's or system's build.
  static func isProgram(_ frame: RunSummary.Place) -> Bool {
    let elsewhere = ["/usr/", "/home/build-user/", "./", "../", "<"]
    return !frame.path.isEmpty && frame.line > 0 && frame.path.hasPrefix("/")
      && !elsewhere.contains { frame.path.hasPrefix($0) }
  }
}
