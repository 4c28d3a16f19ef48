/// The three ways of the exercise, and what each of them cost.
import Mainstay

/// How the pictures of a list are decoded.
nonisolated public enum ThumbnailWay: String, CaseIterable, Hashable, Sendable {
  /// In the model's own task, which is on the main actor: one job for all of them.
  case insideTask
  /// By a `@concurrent` function, one picture at a time, each shown when it is ready.
  case oneAtATime
  /// By a group of tasks off the main actor, and all shown by one update.
  case taskGroup

  public var title: String {
    switch self {
    case .insideTask: "inside the main-actor task"
    case .oneAtATime: "@concurrent, one at a time"
    case .taskGroup: "task group, one update"
    }
  }
}

/// What one way took, measured beside what the formula says.
nonisolated public struct ThumbnailMeasurement: Equatable, Sendable {
  public let way: ThumbnailWay
  public let count: Int
  /// From the call to the last picture.
  public let total: Duration
  /// What all decoding took, added up.
  public let decoding: Duration
  /// The longest main-actor job that the way must make: all decoding for the first, no decoding for the others.
  public let predictedJob: Duration
  /// The frames that such a job drops, by the formula.
  public let predictedFrames: Int
  /// How late the main actor was at worst, by the heartbeat.
  public let worstDelay: Duration
  /// The frames that a job of that length drops.
  public let delayFrames: Int
  /// How late the pool was at worst.
  public let poolDelay: Duration

  init(_ way: ThumbnailWay, lengths: [Duration], total: Duration, report: HeartbeatReport) {
    self.way = way
    count = lengths.count
    self.total = total
    decoding = lengths.reduce(.zero, +)
    predictedJob = way == .insideTask ? decoding : .zero
    predictedFrames = report.budget.droppedFrames(for: predictedJob)
    worstDelay = report.worst
    delayFrames = report.droppedFrames
    poolDelay = report.poolLateness
  }
}
