/// A feed that another runtime drives: what every implementation promises, in its own words and in ours.

/// A controller of another concurrency system. Whoever implements it keeps its promises; no type does.
///
/// All functions may be called on any thread, also from within a callback. A feed has a state; every observer is told of
/// the present one exactly once and of every later one, in order, by callbacks that never overlap.
public protocol FeedController: AnyObject, Sendable {
  /// Calls back on the MAIN THREAD, always: within this call and within `publish` when they are called there.
  /// Consumers may assume main-actor isolation.
  ///
  /// - Parameter onState: told of states. When it throws, its observation ends, and ``FeedSubscription/failure`` says why.
  /// - Returns: the handle that cancels the observation, which also ends when the handle is released.
  func observe(_ onState: @escaping OnState) throws(FeedError) -> FeedSubscription

  /// Calls back on an ARBITRARY THREAD, never on the main one. Named differently on purpose: the caller has to choose
  /// another boundary, and no type tells it which.
  func observeOffMain(_ onState: @escaping OnState) throws(FeedError) -> FeedSubscription

  /// Calls back where `dispatcher` says. For finding out what each of them does.
  func observe(on dispatcher: FeedDispatcher, _ onState: @escaping OnState) throws(FeedError) -> FeedSubscription

  /// Changes the state, on the calling thread.
  func publish(_ update: FeedUpdate) throws(FeedError)

  /// Changes the state on one of the foreign runtime's own threads, later.
  func publishFromWorker(_ update: FeedUpdate) throws(FeedError)

  /// Changes the state `count` times from the foreign runtime, once every `interval`, or as fast as it can when that is
  /// zero. Progress goes from 0 to 1, and the last state is loaded.
  func play(_ count: Int, every interval: Duration) throws(FeedError)

  /// Ends every observation. Called from outside of callbacks, none runs any more when this returns; called from within
  /// one, none begins. Does nothing the second time.
  ///
  /// It waits for callbacks on other threads to return, so these must not wait for the thread that closes.
  func close()

  /// What the two kinds of observation rely on, and where it is written.
  var contract: FeedContract { get }
}

/// Told of a state. It is valid within the call, on the thread that makes it.
public typealias OnState = @Sendable (ForeignState) throws -> Void

/// Where a foreign runtime calls back.
public enum FeedDispatcher: String, Sendable, CaseIterable {
  /// On the main thread: within the call that caused it when that is made there.
  case mainImmediate = "main, immediate"
  /// On the main thread, on a later turn of its queue.
  case main
  /// On the foreign runtime's own threads.
  case worker
}

/// The promises of an implementation, each with the declaration that makes it.
public struct FeedContract: Sendable, Hashable {
  public let observe: String
  public let observeOffMain: String

  public init(observe: String, observeOffMain: String) {
    self.observe = observe
    self.observeOffMain = observeOffMain
  }
}

/// Why a feed did not do what it was asked for.
public enum FeedError: Error, Hashable, CustomStringConvertible {
  case closed
  case invalidProgress(Double)
  case invalidCount(Int)
  case noResources
  /// The foreign runtime failed, in its own words.
  case foreign(String)

  public var description: String {
    switch self {
    case .closed: "the feed was closed; make another controller"
    case .invalidProgress(let progress): "\(progress) is no progress; it goes from 0 to 1"
    case .invalidCount(let count): "a feed cannot be played \(count) times"
    case .noResources: "no memory or no thread was left for the feed"
    case .foreign(let problem): "the foreign runtime failed: \(problem)"
    }
  }
}
