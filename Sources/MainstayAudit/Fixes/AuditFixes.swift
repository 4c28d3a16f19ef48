/// Fixes that cannot change behaviour, each proved: every function runs where it ran before, or the edit is taken back.
import Foundation
import MainstayFindings
import Synchronization

public enum AuditFixes {
  /// Whether a finding has a fix that changes neither where anything runs nor what it does.
  static func isFixable(_ finding: Finding) -> Bool {
    switch finding.rule {
    case RedundantIsolation.documentation.id: true
    // What gives no reason, or names another rule, a person has to look at.
    case ToolRules.suppression.id:
      finding.subject.hasSuffix(Suppressions.superfluous) && finding.confidence == .high
    default: false
    }
  }

  /// What files held before edits that are not proved yet, by path.
  fileprivate static let unproved = Mutex<[String: String]>([:])

  /// Puts back what no proof stands for: when there is none, and when the program is ended before there can be one.
  public static func takeBack() {
    unproved.withLock { held in
      for (file, text) in held { try? WrittenFile.write(text, to: file) }
      held = [:]
    }
  }

  public struct Outcome: Sendable, Hashable {
    public var fixed: [Finding] = []
    /// What could not be proved, with the reason.
    public var kept: [Kept] = []

    public struct Kept: Sendable, Hashable {
      public var finding: Finding
      public var reason: String
    }
  }

  /// Edits the sources of an audited package.
  ///
  /// - Parameter result: an audit of the same options.
  /// - Throws: `AuditFailure` when the package was not read from the compiler, so that nothing could be proved.
  public static func apply(
    _ options: AuditOptions, to result: AuditResult,
    progress: @escaping @Sendable (AuditProgress) -> Void = { _ in }
  ) throws -> Outcome {
    let due = result.findings.filter { isFixable($0) }
    guard !due.isEmpty else { return Outcome() }
    guard !options.sourceOnly, result.modules.allSatisfy({ $0.source == .sil }) else {
      throw AuditFailure(
        kind: .notAnalysed, message: "nothing was fixed: not every module was read from the compiler",
        advice: "a fix is proved by comparing the isolation of every function; make the package build first")
    }
    var options = options
    options.build = true
    let run = try AuditRun(options, progress)
    var fixing = Fixing(options: options, progress: progress, root: run.package.root)
    (fixing.before, fixing.compiled) = try fixing.isolation()
    return try fixing.fix(due)
  }
}

private struct Fixing {
  let options: AuditOptions
  let progress: @Sendable (AuditProgress) -> Void
  let root: String
  var before: [String: String] = [:]
  /// The lines of each file on which the build has functions.
  var compiled: [String: Set<Int>] = [:]

  /// Where every function runs, by the linker's name; nothing when the package does not compile.
  func isolation() throws -> (running: [String: String], compiled: [String: Set<Int>]) {
    var run = try AuditRun(options, progress)
    let reading = try run.reading()
    guard reading.modules.allSatisfy({ $0.source == .sil }), run.notes.isEmpty else { return ([:], [:]) }
    var running: [String: String] = [:]
    var compiled: [String: Set<Int>] = [:]
    for function in reading.program().functions {
      running[function.name] = IsolationFacts.spelled(function.isolation)
      compiled[function.location.file, default: []].insert(function.location.line)
    }
    return (running, compiled)
  }

  func fix(_ due: [Finding]) throws -> AuditFixes.Outcome {
    var outcome = AuditFixes.Outcome()
    // All at once is one build; only when that proves nothing, one file at a time, and then one edit at a time.
    var work: [[Finding]] = [due]
    while let group = work.popLast() {
      let left = try edit(group)
      outcome.kept += left
      let changed = group.filter { finding in !left.contains { $0.finding == finding } }
      if changed.isEmpty { continue }
      let after = try isolation().running
      if let reason = difference(after) {
        AuditFixes.takeBack()
        let files = Dictionary(grouping: changed, by: \.location.file).sorted { $0.key < $1.key }.map(\.value)
        if files.count > 1 {
          work += files
        } else if changed.count > 1 {
          work += changed.map { [$0] }
        } else {
          outcome.kept.append(.init(finding: changed[0], reason: reason))
        }
      } else {
        AuditFixes.unproved.withLock { $0 = [:] }
        outcome.fixed += changed
      }
    }
    outcome.fixed.sort { $0.location < $1.location }
    outcome.kept.sort { $0.finding.location < $1.finding.location }
    return outcome
  }

  private func difference(_ after: [String: String]) -> String? {
    if after.isEmpty { return "the package does not compile with it" }
    for (name, isolation) in before.sorted(by: { $0.key < $1.key }) where after[name] != isolation {
      return "\(name) would run on \(after[name] ?? "nothing: it is gone") instead of \(isolation)"
    }
    return after.count == before.count ? nil : "it adds functions"
  }

  /// Takes attributes and comments away; returns what it left as it is.
  ///
  /// - Throws: `AuditFailure` when a file cannot be read or written; none is changed then.
  private func edit(_ findings: [Finding]) throws -> [AuditFixes.Outcome.Kept] {
    var held: [String: String] = [:]
    var texts: [String: String] = [:]
    var left: [AuditFixes.Outcome.Kept] = []
    for (file, group) in Dictionary(grouping: findings, by: \.location.file) {
      let path = root + "/" + file
      guard let text = FileManager.default.contents(atPath: path).flatMap({ String(validating: $0, as: UTF8.self) })
      else {
        throw AuditFailure(
          kind: .usage, message: "nothing was fixed: '\(file)' cannot be read, or is not all UTF-8",
          advice: "mend the file, or fix what is in the others with --changed-since or by hand")
      }
      let comments = group.filter { $0.rule == ToolRules.suppression.id }
      let attributes = group.filter { $0.rule != ToolRules.suppression.id }
      let one = AttributeRemoval.ranges(
        "MainActor", at: attributes.map(\.location), in: text, compiled: compiled[path] ?? [])
      let other = SuppressionRemoval.ranges(at: comments.map(\.location), in: text)
      let missed =
        attributes.filter { one.missed.contains($0.location) } + comments.filter { other.missed.contains($0.location) }
      left += missed.map { .init(finding: $0, reason: "what would be taken away is not where it was") }
      left += attributes.filter { one.uncompiled.contains($0.location) }.map {
        .init(finding: $0, reason: "it stands in an #if that this build leaves out, so nothing would prove it")
      }
      let edited = SourceCuts.cut(one.ranges + other.ranges, from: text)
      guard edited != text else { continue }
      held[path] = text
      texts[path] = edited
    }
    AuditFixes.unproved.withLock { $0 = held }
    for (path, text) in texts.sorted(by: { $0.key < $1.key }) {
      guard (try? WrittenFile.write(text, to: path)) != nil else {
        AuditFixes.takeBack()
        throw AuditFailure(
          kind: .usage, message: "nothing was fixed: '\(path)' may not be written",
          advice: "give yourself the right to write it: chmod u+w '\(path)'")
      }
    }
    return left
  }
}
