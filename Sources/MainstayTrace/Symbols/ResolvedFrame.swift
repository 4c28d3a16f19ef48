/// What an address turned out to be: functions with their places, and where an async function goes on.

/// A function at an address.
public struct ResolvedFrame: Hashable, Sendable {
  public let name: FunctionName
  /// The source file as the compiler was given it; nil when unknown.
  public let file: String?
  /// From 1; 0 when unknown.
  public let line: Int
  /// From 1; 0 when unknown.
  public let column: Int
  /// The path of the executable or library; empty when no image was mapped there.
  public let image: String
  /// Whether this function was inlined into the next frame's.
  public let isInlined: Bool
}

/// All that is known about one address.
public struct ResolvedAddress: Hashable, Sendable {
  public let address: UInt64
  /// The innermost inlined function first, the physical function last. Never empty.
  public let frames: [ResolvedFrame]
  /// For a piece of an async function: which await it goes on from.
  public let resumePoint: ResumePoint?

  /// The innermost function.
  public var innermost: ResolvedFrame { frames[0] }
  /// The function whose code is at the address: the one that a job belongs to.
  public var physical: ResolvedFrame { frames[frames.count - 1] }
}

/// Where a task was made.
public struct TaskCreation: Hashable, Sendable {
  /// The function that wrote `Task {}`, at that line.
  public let frame: ResolvedFrame
  /// The closure it gave; nil for a method used as the operation, or when the code does not say.
  public let closure: FunctionName?
}

extension FunctionName {
  /// A place for which no symbol is known.
  static func unnamed(_ display: String) -> FunctionName {
    FunctionName(
      display: display, kind: .unknown, enclosing: nil, type: nil, module: nil, isThunk: false, key: display,
      sourceKey: display, resume: nil)
  }

  /// Whether this is code of Mainstay's library, whose pieces make tasks for those who use them.
  var isMainstayLibrary: Bool { module == "Mainstay" }

  /// Whether this is the code that makes tasks, which the compiler copies into the programs that use it.
  var isConcurrencyLibrary: Bool {
    guard module == "Swift" || module == "_Concurrency" else { return false }
    let makers: Set<String> = [
      "Task", "TaskGroup", "ThrowingTaskGroup", "DiscardingTaskGroup", "ThrowingDiscardingTaskGroup", "MainActor",
    ]
    return kind == .thunk || type.map { makers.contains($0) } ?? display.hasPrefix("with")
  }
}
