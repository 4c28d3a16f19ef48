/// A job as source and measurement both name it: the function, and the suspension that it resumes from.
public struct JobKey: Sendable, Hashable, Codable, Comparable {
  /// The function, spelled for a person.
  public var function: String
  /// Its mangled name, without what says which piece of an async function a symbol is.
  public var symbol: String
  /// The suspension that the job resumes from; the function's own place when it runs from the start.
  public var location: SourceLocation
  /// 0 at the function's start, then the suspensions in source order.
  public var ordinal: Int
  /// What it runs on: `MainActor`, another actor's or global actor's type, `pool`; empty when that is not known.
  public var executor: String
  /// Whether this is the await of a caller: what a measurement names when the compiler made one function of both.
  public var isCaller: Bool

  public init(
    function: String, symbol: String, location: SourceLocation, ordinal: Int, executor: String, isCaller: Bool = false
  ) {
    self.function = function
    self.symbol = symbol
    self.location = location
    self.ordinal = ordinal
    self.executor = executor
    self.isCaller = isCaller
  }

  public static func < (left: JobKey, right: JobKey) -> Bool {
    (left.symbol, left.ordinal, left.location, left.executor) < (
      right.symbol, right.ordinal, right.location, right.executor
    )
  }
}
