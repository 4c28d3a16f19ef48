/// The registry of every boundary in the process, and the mode they run in.

import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// Every boundary of this process: what each was promised and what each has seen.
///
/// Set the environment variable `MAINSTAY_BOUNDARIES` to `survey` before the process starts to find out where a
/// program's callbacks really arrive: an ``AssertedBoundary`` that is entered off the main actor then records the
/// queue it came from and hops, instead of trapping. A count is evidence, not proof: `report()` also lists the
/// contracts that no callback has exercised.
public enum Boundaries {
  /// What every boundary has seen until now, in the order of their names and lines.
  ///
  /// May be called from any thread. Values that a hopping boundary holds and has not applied yet are not in it.
  public static func report() -> BoundaryReport {
    let records = registry.withLock { Array($0.values) }
    return BoundaryReport(isSurvey: mode == .survey, rows: records.map(\.row).sorted { $0.identity < $1.identity })
  }

  /// Tells the recorder of every boundary. On whatever thread it asks.
  static func tellAll() {
    for record in registry.withLock({ Array($0.values) }) { BoundaryRecorder.note(record.row) }
  }

  /// The mode of this process, read from its environment when the first boundary is made.
  static let mode = Mode(environment: getenv("MAINSTAY_BOUNDARIES").map { String(cString: $0) })

  enum Mode: Equatable {
    /// Violations trap.
    case enforce
    /// Violations are recorded and hop.
    case survey
    /// The variable holds a word that means nothing; violations trap and say so.
    case misspelt(String)

    init(environment value: String?) {
      switch value {
      case nil, "": self = .enforce
      case "survey": self = .survey
      case .some(let other): self = .misspelt(other)
      }
    }
  }

  /// The record of this boundary, shared with every boundary that has the same name, contract and line.
  static func record(_ identity: BoundaryIdentity) -> BoundaryRecord {
    _ = BoundaryRecorder.search
    let (record, isNew) = registry.withLock { registry in
      if let known = registry[identity] { return (known, false) }
      // Names made at run time must not grow the registry without bound.
      let identity = registry.count < boundariesKept ? identity : .further(identity.kind)
      if let known = registry[identity] { return (known, false) }
      let record = BoundaryRecord(identity, isSurveyed: mode == .survey)
      registry[identity] = record
      return (record, true)
    }
    // That it exists is worth knowing, also when nothing ever arrives.
    if isNew { BoundaryRecorder.note(record.row) }
    return record
  }

  private static let boundariesKept = 4_096
  private static let registry = Mutex<[BoundaryIdentity: BoundaryRecord]>([:])
}

/// What tells one boundary from another.
struct BoundaryIdentity: Hashable, Sendable, Comparable {
  var name: String
  var contract: String
  var file: String
  var line: UInt
  var kind: BoundaryReport.Kind

  /// Stands for the boundaries beyond those the registry keeps apart.
  static func further(_ kind: BoundaryReport.Kind) -> BoundaryIdentity {
    BoundaryIdentity(name: "(further boundaries)", contract: "", file: "", line: 0, kind: kind)
  }

  static func < (a: BoundaryIdentity, b: BoundaryIdentity) -> Bool {
    (a.name, a.file, a.line, a.contract, a.kind.rawValue) < (b.name, b.file, b.line, b.contract, b.kind.rawValue)
  }
}
