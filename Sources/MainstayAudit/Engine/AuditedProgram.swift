/// Other questions to a package than what is wrong with it: its map, and where its functions run.
import MainstayFindings

extension Audit {
  /// The architecture that isolation draws in a package, and what was read for it.
  ///
  /// - Throws: as `run`.
  public static func map(
    _ options: AuditOptions, progress: @escaping @Sendable (AuditProgress) -> Void = { _ in }
  ) throws -> (map: ArchitectureMap, modules: [AuditResult.Module], notes: [String]) {
    var run = try AuditRun(options, progress)
    let reading = try run.reading()
    let notes = run.notes + reading.unknown
    let map = ArchitectureMap(reading.program) { run.relative($0) }
    return (map, reading.modules, notes)
  }

  /// Where every function of a package runs, with the findings of an audit.
  ///
  /// - Throws: as `run`.
  public static func isolation(
    _ options: AuditOptions, with result: AuditResult,
    progress: @escaping @Sendable (AuditProgress) -> Void = { _ in }
  ) throws -> IsolationFacts {
    var run = try AuditRun(options, progress)
    let reading = try run.reading()
    return IsolationFacts(reading.program, result) { run.relative($0) }
  }
}
