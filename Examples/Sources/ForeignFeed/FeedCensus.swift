/// What exists of feeds in this process: how a test knows that nothing leaks.

import CFeed

public struct FeedCensus: Sendable, Hashable {
  public var controllers: Int
  public var observations: Int
  public var states: Int
  public var threads: Int
  /// References to objects of another runtime.
  public var references: Int
  /// Callbacks of ours that a foreign runtime holds.
  public var callbacks: Int

  public static let nothing = FeedCensus(
    controllers: 0, observations: 0, states: 0, threads: 0, references: 0, callbacks: 0)

  public static var now: FeedCensus {
    let census = feed_census_take()
    return FeedCensus(
      controllers: Int(census.controllers), observations: Int(census.observations), states: Int(census.states),
      threads: Int(census.threads), references: Int(census.references), callbacks: FeedCallback.count)
  }
}
