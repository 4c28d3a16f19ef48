/// What the boundaries of a process have seen, as values and as a table.

/// What every boundary of the process has seen: see ``Boundaries/report()``.
public struct BoundaryReport: Sendable, Hashable {
  /// How a boundary reaches the main actor.
  public enum Kind: String, Sendable, Hashable {
    /// An ``AssertedBoundary``: the caller promised to be on the main actor.
    case asserted
    /// A ``HoppingBoundary``: the caller may be anywhere.
    case hopping
  }

  /// One boundary, or all boundaries made on the same line with the same name and contract.
  public struct Row: Sendable, Hashable {
    let identity: BoundaryIdentity

    /// The name given to the boundary.
    public var name: String { identity.name }
    /// The fact the boundary relies on.
    public var contract: String { identity.contract }
    /// The file the boundary was made in, as `#fileID`.
    public var file: String { identity.file }
    /// The line the boundary was made on.
    public var line: UInt { identity.line }
    /// Whether it asserts or hops.
    public var kind: Kind { identity.kind }

    /// All callbacks.
    public let callbacks: Int
    /// Callbacks that arrived on the main actor. A hopping boundary looks in survey mode only.
    public let onMain: Int
    /// Callbacks that arrived anywhere else. For an asserted boundary each of them breaks its contract; a hopping
    /// boundary looks in survey mode only.
    public let offMain: Int
    /// Callbacks in a job of a custom executor, in survey mode: that executor may be as good as the main actor's, and has no
    /// way to say so. They are neither kept promises nor broken ones.
    public let cannotTell: Int
    /// Values that a newer one replaced before they were applied (``HoppingBoundary/Delivery/latest`` only).
    public let merged: Int
    /// Values sent after `finish()`, which were dropped.
    public let refused: Int
    /// Values applied after one that was delivered later: hops of a surveyed asserted boundary that were overtaken.
    /// A hopping boundary keeps the order, so it has none.
    public let inversions: Int
    /// The most values that waited at once.
    public let longestQueue: Int
    /// The queues that callbacks off the main actor came from, with counts. Filled in survey mode.
    public let queues: [String: Int]
    /// From `send` until applied, of one value in eight and of each that found nothing waiting. Nil for an asserted boundary, which applies in the same call.
    public let latency: LatencySummary?

    /// False when nothing ever arrived: the contract is then untested, whatever the other counts say.
    public var exercised: Bool { callbacks > 0 }
    /// True when an asserted boundary was entered off the main actor.
    public var isBroken: Bool { kind == .asserted && offMain > 0 }
  }

  /// True when the process runs with `MAINSTAY_BOUNDARIES=survey`.
  public let isSurvey: Bool
  /// One row a boundary, ordered by name, file and line.
  public let rows: [Row]

  /// The boundaries whose contract was broken.
  public var broken: [Row] { rows.filter(\.isBroken) }
  /// The boundaries that no callback has reached yet: nothing is known about their contracts.
  public var neverExercised: [Row] { rows.filter { !$0.exercised } }
}

extension BoundaryReport: CustomStringConvertible {
  /// A table for people: a line a boundary, then the queues of each broken contract.
  public var description: String {
    guard !rows.isEmpty else { return "no boundaries" }
    var lines = rows.map(\.description)
    for row in broken {
      let from = row.queues.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) from \($0.key)" }
      lines.append(
        "'\(row.name)' broke its contract \"\(row.contract)\": \(from.joined(separator: ", ")); "
          + "correct the caller, or make it a HoppingBoundary")
    }
    return lines.joined(separator: "\n")
  }
}

extension BoundaryReport.Row: CustomStringConvertible {
  /// One line: name, place, kind and counts.
  public var description: String {
    guard exercised else { return "'\(name)' (\(file):\(line), \(kind.rawValue)): never exercised" }
    var parts = ["\(callbacks) callbacks"]
    if onMain + offMain + cannotTell > 0 { parts += ["\(onMain) on main", "\(offMain) off main"] }
    if cannotTell > 0 { parts.append("\(cannotTell) from an executor that cannot tell") }
    if merged > 0 { parts.append("\(merged) merged") }
    if refused > 0 { parts.append("\(refused) after finish") }
    if inversions > 0 { parts.append("\(inversions) out of order") }
    if let latency { parts.append("p99 \(DurationText.of(latency.p99))") }
    return "'\(name)' (\(file):\(line), \(kind.rawValue)): \(parts.joined(separator: ", "))"
  }
}
