/// Where a function runs, as the compiler says it.
public enum Isolation: Sendable, Hashable {
  /// Nobody said: an import without isolation, or code that no compiler read.
  case unknown
  case nonisolated
  /// A `nonisolated(nonsending)` async function: it runs wherever its caller runs.
  case caller
  /// A global actor, by the name of its type.
  case globalActor(String)
  /// The actor instance that `self` is.
  case selfActor
  /// The actor instance passed as an isolated parameter, by name.
  case parameter(String)

  public static let mainActor = Isolation.globalActor("MainActor")

  public var isMain: Bool { self == .mainActor }

  /// Whether a function with this isolation is protected by one actor.
  public var isActor: Bool {
    switch self {
    case .globalActor, .selfActor, .parameter: true
    case .unknown, .nonisolated, .caller: false
    }
  }
}

/// The executor that a call runs on when it is not the caller's own.
public enum Executor: Sendable, Hashable {
  /// The caller's own executor: nothing changes at the call.
  case own
  /// No actor at all: the global concurrent executor.
  case generic
  case globalActor(String)
  /// Another actor instance, by the root that names it in the function.
  case instance(String)
}
