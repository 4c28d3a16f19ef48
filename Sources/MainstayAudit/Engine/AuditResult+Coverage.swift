/// What was not read from the compiler, a sentence for all modules that have the same reason.

extension AuditResult {
  public struct Gap: Sendable, Hashable {
    /// Whether nothing was read at all, not even the source.
    public var isUnread: Bool
    /// Whether the compiler was to be asked: with the source alone asked for, nothing is missing.
    public var isUnexpected: Bool
    public var sentence: String
  }

  /// The gaps in the order of their first modules.
  public var gaps: [Gap] { AuditResult.gaps(of: modules) }

  public static func gaps(of modules: [Module]) -> [Gap] {
    var order: [Key] = []
    var names: [Key: [String]] = [:]
    for module in modules where module.source != .sil {
      let key = Key(isUnread: module.source == .none, isDegraded: module.isDegraded, reason: module.reason ?? "")
      if names[key] == nil { order.append(key) }
      names[key, default: []].append(module.name)
    }
    return order.map { key in
      let names = names[key] ?? []
      let isOne = names.count == 1
      let how =
        key.isUnread
        ? "\(isOne ? "was" : "were") not analysed"
        : "\(isOne ? "was" : "were") read from \(isOne ? "its" : "their") source only, with less confidence"
      let reason = key.reason.isEmpty ? "nobody knows why" : key.reason
      return Gap(
        isUnread: key.isUnread, isUnexpected: key.isUnread || key.isDegraded,
        sentence: "\(listed(names)) \(how): \(reason)")
    }
  }

  private struct Key: Hashable {
    var isUnread: Bool
    var isDegraded: Bool
    var reason: String
  }

  /// `App`, `App and Core`, `App, Core, UI and 4 other modules`.
  private static func listed(_ names: [String]) -> String {
    guard names.count > 4 else {
      return names.count < 2
        ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }
    return names.prefix(3).joined(separator: ", ") + " and \(names.count - 3) other modules"
  }
}
