/// What to audit, and how.
import MainstayFindings

public struct AuditOptions: Sendable {
  /// The package, or any directory with Swift sources.
  public var path: String
  /// A configuration to read instead of the package's own `.mainstay.json`.
  public var configurationFile: String?
  /// A log with compiler command lines, instead of SwiftPM's own description of the build.
  public var buildLog: String?
  /// Where SwiftPM builds: `.build` inside the package when nil. A relative path is meant from the working directory.
  public var scratchPath: String?
  public var build = true
  /// Reads the source alone, without a compiler.
  public var sourceOnly = false
  public var includeTests: Bool?
  /// Only these rules, by identifier or code; all when empty.
  public var rules: [String] = []
  /// Only findings in files that changed since this revision.
  public var changedSince: String?
  /// Findings that are known already and not reported again.
  public var baseline: String?
  /// Whether the baseline's findings are expected: those that are gone are reported as well.
  public var expectsBaseline = false
  public var failOn: Severity?
  /// How many compilers and readers work at a time; the machine's cores when nil.
  public var width: Int?
  /// Keeps facts between runs; off means that everything is read anew.
  public var usesCache = true

  public init(path: String) { self.path = path }
}

/// One step of the work, for a progress line.
public enum AuditProgress: Sendable, Hashable {
  case building
  case reading(files: Int, of: Int)
  case judging
}
