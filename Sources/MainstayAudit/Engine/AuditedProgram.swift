/// Other questions to a package than what is wrong with it: its map, and where its functions run.
import MainstayFindings

extension Audit {
  /// The architecture that isolation draws in a package, and what was read for it: notes and reasons for a person, with
  /// files named from the working directory where the package lies below it; and whether everything was read.
  ///
  /// - Throws: as `run`.
  public static func map(
    _ options: AuditOptions, progress: @escaping @Sendable (AuditProgress) -> Void = { _ in }
  ) throws -> (map: ArchitectureMap, modules: [AuditResult.Module], notes: [String], isWhole: Bool) {
    var run = try AuditRun(options, progress)
    let reading = try run.reading()
    let folder = AuditResult.folder(of: run.package.root)
    var modules = reading.modules
    for index in modules.indices { modules[index].reason = modules[index].reason.map { run.named($0, from: folder) } }
    let notes = (run.notes + reading.unknown).map { run.named($0, from: folder) }
    let map = ArchitectureMap(reading.program()) { run.relative($0) }
    return (map, modules, notes, run.unreadable.isEmpty && modules.allSatisfy(\.isWhole))
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
    return IsolationFacts(reading.program(), result) { run.relative($0) }
  }
}
