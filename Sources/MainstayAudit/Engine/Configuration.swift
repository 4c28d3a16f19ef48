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

  func isSerialised(_ call: Call) -> Bool { serialised.contains { CalleePattern($0).matches(call) } }
}
