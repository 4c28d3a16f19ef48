/// What keeps a recording and an audit from being joined.

public enum ReportError: Error, Sendable, Hashable, CustomStringConvertible {
  case unreadable(String, reason: String)
  case notAnAudit(String, schema: String?)
  case notARun(String, schema: String?)
  /// It has the right schema and not the right shape.
  case damaged(String, String)
  /// Nothing that was recorded is in what was audited.
  case nothingInCommon(programs: [String], recorded: [String], audited: [String])

  public var description: String {
    switch self {
    case .unreadable(let name, let reason): "\(name) cannot be read: \(reason)."
    case .notAnAudit(let name, let schema):
      "\(name) is no audit: its schema is \(Self.quoted(schema)), not 'mainstay.audit/1'. "
        + "Write one with 'mainstay audit --format json --output FILE'."
    case .notARun(let name, let schema):
      "\(name) is no run: its schema is \(Self.quoted(schema)), not 'mainstay.run/1'. "
        + "Write one with 'mainstay run --json FILE', or name a recording."
    case .damaged(let name, let problem): "\(name) is damaged: \(problem). Write it again."
    case .nothingInCommon(let programs, let recorded, let audited):
      "nothing that was recorded of \(Self.list(programs)) is in the audit: the functions are of "
        + "\(Self.list(recorded)), the audit read \(Self.list(audited)). Audit the package that the program was built from."
    }
  }

  private static func quoted(_ schema: String?) -> String { schema.map { "'\($0)'" } ?? "missing" }

  private static func list(_ names: [String]) -> String {
    if names.isEmpty { return "nothing" }
    let shown = names.prefix(4).joined(separator: ", ")
    return names.count > 4 ? "\(shown) and \(names.count - 4) more" : shown
  }
}
