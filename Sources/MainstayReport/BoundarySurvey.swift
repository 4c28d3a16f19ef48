/// What the boundaries of a program saw over several runs: the document `mainstay.boundaries/1`.
import Foundation
import MainstayTrace

/// Callbacks added up, boundary by boundary. A boundary is known by its name and its contract, whichever run it was in.
public struct BoundarySurvey: Codable, Hashable, Sendable {
  public var schema = "mainstay.boundaries/1"
  /// How many runs were added up.
  public var runs = 0
  /// Runs in which no boundary was seen: they say nothing, and not that all is well.
  public var runsWithoutBoundaries = 0
  public var boundaries: [Row] = []

  public struct Row: Codable, Hashable, Sendable {
    public var name: String
    public var contract: String
    public var callbacks = 0
    public var onMain = 0
    public var offMain = 0
    public var cannotTell = 0
    public var inversions = 0
    /// Where callbacks off main came from, each once.
    public var queues: [String] = []
    /// The worst of the runs: percentiles cannot be added up.
    @Nullable public var worstP99Milliseconds: Double?
    /// In how many runs the boundary existed.
    public var runs = 0
    /// In how many of them a callback came.
    public var exercisedIn = 0
    /// False: no callback ever came, so nothing is known of the contract.
    public var exercised = false

    init(name: String, contract: String) {
      (self.name, self.contract) = (name, contract)
    }
  }

  /// What cannot be added up.
  public struct Damage: Error, Hashable, Sendable {
    public let boundary: String
    public let problem: String
  }

  public init() {}

  /// The contracts that no run has exercised.
  public var neverExercised: [Row] { boundaries.filter { !$0.exercised } }

  public var callbacks: Int { boundaries.reduce(0) { $0 &+ $1.callbacks } }

  /// Adds one run. Nothing is added when it throws.
  public mutating func add(_ run: RunSummary) throws(Damage) {
    var merged = Dictionary(uniqueKeysWithValues: boundaries.map { (Key(name: $0.name, contract: $0.contract), $0) })
    // Two boundaries of one name and contract may exist in one run: that is one run all the same.
    var exercised: [Key: Bool] = [:]
    for boundary in run.boundaries {
      let key = Key(name: boundary.name, contract: boundary.contract)
      try merged[key, default: Row(name: boundary.name, contract: boundary.contract)].add(boundary)
      exercised[key, default: false] = exercised[key, default: false] || boundary.exercised || boundary.callbacks > 0
    }
    for (key, exercised) in exercised {
      merged[key]?.runs += 1
      if exercised { merged[key]?.exercisedIn += 1 }
    }
    // So that the sum over all rows is a number as well.
    var total = 0
    for row in merged.values { total = try Self.sum(total, row.callbacks, of: "callbacks", row.name) }
    runs += 1
    if run.boundaries.isEmpty { runsWithoutBoundaries += 1 }
    boundaries = merged.values.sorted { ($0.name, $0.contract) < ($1.name, $1.contract) }
  }

  /// The same bytes for the same survey.
  public func document() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  private struct Key: Hashable {
    let name: String
    let contract: String
  }

  fileprivate static func sum(_ a: Int, _ b: Int, of what: String, _ name: String) throws(Damage) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    guard b >= 0, !overflow else { throw Damage(boundary: name, problem: "\(b) \(what) is no count") }
    return sum
  }
}

extension BoundarySurvey.Row {
  fileprivate mutating func add(_ boundary: RunSummary.Boundary) throws(BoundarySurvey.Damage) {
    func add(_ count: Int, to sum: Int, _ what: String) throws(BoundarySurvey.Damage) -> Int {
      try BoundarySurvey.sum(sum, count, of: what, name)
    }
    callbacks = try add(boundary.callbacks, to: callbacks, "callbacks")
    onMain = try add(boundary.onMain, to: onMain, "callbacks on main")
    offMain = try add(boundary.offMain, to: offMain, "callbacks off main")
    cannotTell = try add(boundary.cannotTell, to: cannotTell, "callbacks that cannot be told")
    inversions = try add(boundary.inversions, to: inversions, "inversions")
    queues = Set(queues + boundary.queues).sorted()
    if let p99 = boundary.p99Milliseconds { worstP99Milliseconds = max(worstP99Milliseconds ?? p99, p99) }
    exercised = exercised || boundary.exercised || boundary.callbacks > 0
  }
}
