import CMainstayTrace

/// Main-actor work without a gap that together overruns the budget although no single piece does: it keeps a screen as
/// still as one long job.
struct TrainTally {
  struct Train {
    var start: UInt64
    var end: UInt64
    var jobs = 0
    var longest: UInt64 = 0
    var functions: [Tally.FunctionKey: UInt64] = [:]
  }

  /// The longest, longest first.
  private(set) var trains: [Train] = []
  private var current: Train?
  private let budget: UInt64
  private let gap: UInt64
  private static let most = 50

  init(_ recording: Recording) {
    budget = recording.clock.ticks(nanoseconds: recording.budget / .nanoseconds(1))
    gap = recording.clock.ticks(nanoseconds: 200_000)
  }

  /// - Parameter function: the stretch's, told apart from others that share its code.
  mutating func add(_ stretch: Stretch, _ function: Tally.FunctionKey) {
    let end = max(stretch.start, stretch.start &+ stretch.length)  // a damaged length may wrap
    if let train = current, stretch.start > train.end &+ gap { finish() }
    var train = current ?? Train(start: stretch.start, end: end)
    train.end = max(train.end, end)
    train.jobs += 1
    train.longest = max(train.longest, stretch.length)
    // Bounded: a train of thousands is made of few functions, and the first ones tell.
    if train.functions.count < 64 || train.functions[function] != nil {
      train.functions[function, default: 0] &+= stretch.length
    }
    current = train
  }

  mutating func finish() {
    if let train = current, train.jobs > 1, train.longest <= budget, train.end - train.start > budget {
      trains.append(train)
      if trains.count > 2 * Self.most { keepLongest() }
    }
    current = nil
  }

  /// The trains that are not one job in pieces: what a stall covers is a stall.
  mutating func result(without stalls: [Range<UInt64>]) -> [Train] {
    finish()
    trains.removeAll { train in stalls.contains { $0.overlaps(train.start..<train.end) } }
    keepLongest()
    return trains
  }

  private mutating func keepLongest() {
    trains.sort { ($1.end - $1.start, $0.start) < ($0.end - $0.start, $1.start) }
    trains.removeLast(max(0, trains.count - Self.most))
  }
}
