/// What a package decides about its audit: the contents of `.mainstay.json`.
import MainstayFindings

public struct Configuration: Sendable, Hashable {
  public enum RuleSetting: Sendable, Hashable {
    case off
    case severity(Severity)
  }

  /// Milliseconds that a main-actor job may take.
  public var budgetMilliseconds: Double?
  public var rules: [String: RuleSetting] = [:]
  public var failOn: Severity?
  public var blocking: [String] = []
  public var heavy: [String] = []
  public var nonblocking: [String] = []
  /// Functions that run their closure alone.
  public var serialised: [String] = []
  /// Protocols whose conforming types are views.
  public var views: [String] = []
  public var exclude: [String] = []
  public var includeTests: Bool?

  public init() {}

  /// Everything that decides about findings, as text for a cache's key.
  var identity: String {
    let settings = rules.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let lists = [blocking, heavy, nonblocking, serialised, views, exclude].map { $0.joined(separator: "\u{1}") }
    return (settings + lists).joined(separator: "\u{2}")
  }

  func isSerialised(_ call: Call) -> Bool { serialised.contains { CalleePattern($0).matches(call) } }
}
