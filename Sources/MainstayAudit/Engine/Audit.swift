/// The audit as a library: from a package to findings, printing nothing.
import Foundation
import MainstayFindings
import Synchronization

/// What keeps an audit from being made at all.
public struct AuditFailure: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    /// The options or the configuration are wrong: exit status 3.
    case usage
    /// Nothing could be analysed: exit status 4.
    case notAnalysed
  }
  public var kind: Kind
  public var message: String
  /// What to do about it.
  public var advice: String
  public var description: String { message }
}

public enum Audit {
  /// Analyses a package.
  ///
  /// - Parameter progress: called from any thread, often.
  /// - Throws: `AuditFailure` or `ConfigurationFailure`, each with what to do next.
  public static func run(
    _ options: AuditOptions, progress: @escaping @Sendable (AuditProgress) -> Void = { _ in }
  ) throws -> AuditResult {
    let start = ContinuousClock.now
    var run = try AuditRun(options, progress)
    var result = try run.result()
    let elapsed = ContinuousClock.now - start
    result.seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    return result
  }

  /// Ends the programs that audits of this process have started, and takes back fixes that are not proved. For a process
  /// that is about to end: no audit can be made afterwards. May be called from any thread.
  public static func abandon() {
    CompilerProcess.endAll()
    AuditFixes.takeBack()
  }
}

struct AuditRun {
  let options: AuditOptions
  let progress: @Sendable (AuditProgress) -> Void
  let package: PackageModules
  let configuration: Configuration
  let width: Int
  /// What was read before; nil when everything is read anew, or nothing may be kept.
  let cache: FactsCache?
  /// Lines for a person, with the whole paths of files.
  var notes: [String] = []
  /// Folders that may not be looked into, and files that were not read, as far as the package's own folders say.
  var unreadable: [String] = []

  init(_ options: AuditOptions, _ progress: @escaping @Sendable (AuditProgress) -> Void) throws {
    self.options = options
    self.progress = progress
    try PackageModules.requireDirectory(options.path)
    package = PackageModules(path: options.path, scratchPath: options.scratchPath)
    let file = options.configurationFile ?? package.root + "/" + ConfigurationFile.name
    if options.configurationFile != nil || FileManager.default.fileExists(atPath: file) {
      let name = AuditResult.folder(of: package.root) + ConfigurationFile.name
      configuration = try ConfigurationFile.read(
        file, displayed: options.configurationFile ?? name, isNamed: options.configurationFile != nil)
    } else {
      configuration = Configuration()
    }
    for rule in options.rules where RuleCatalogue.documentation(for: rule) == nil {
      let isOfTool = RuleExplanation.rule(named: rule) != nil
      throw AuditFailure(
        kind: .usage, message: "there is no rule '\(rule)' that --rules could name",
        advice: isOfTool
          ? "it is about the audit itself, and reported whatever --rules names" : RuleExplanation.hint(rule))
    }
    cache =
      options.usesCache
      ? CachePlace().directory(for: package, builds: options.build && !options.sourceOnly)
        .map { FactsCache(directory: $0) } : nil
    width = max(1, options.width ?? ProcessInfo.processInfo.activeProcessorCount)
  }

  var includeTests: Bool { options.includeTests ?? configuration.includeTests ?? false }

  mutating func result() throws -> AuditResult {
    let changedFiles = try changedFiles()
    let baseline = try options.baseline.map { try Baseline.read($0) }
    let sources = try modules()
    let toolchain = try? Toolchain(compiler: AuditRun.compiler(of: sources))
    let frontend = options.sourceOnly ? nil : toolchain.flatMap { silFrontend($0) }
    let plan = frontend?.plan(sources)
    let contracts = Contracts.read(ownSources(sources), root: package.root)
    // Every source is hashed for it: nobody asks where there is no cache.
    let readsSource = options.sourceOnly || !package.isPackage && options.buildLog == nil
    let key =
      cache == nil
      ? nil : readsSource ? sourceKey(sources, contracts) : plan.map { resultKey($0, sources, contracts) }
    var judged: JudgedFindings
    if let key, let known = cache?.text(for: key).flatMap({ try? JSONDecoder().decode(JudgedFindings.self, from: $0) })
    {
      judged = known
    } else {
      // Rules follow calls as far as they go: on a stack that is as deep.
      judged = DeepStack.run { judge(sources, toolchain, frontend, plan, contracts) }
      let wanted: AuditResult.Module.Source = readsSource ? .syntax : .sil
      let isWhole = judged.modules.allSatisfy { $0.source == wanted } && notes.isEmpty
      if let cache, let key, isWhole, let data = try? JSONEncoder().encode(judged) { cache.storeResult(data, for: key) }
    }
    notes += judged.notes
    var findings = changed(judged.findings, in: changedFiles)
    findings.sort {
      ($0.location, $0.code, $0.subject, $0.symbol) < ($1.location, $1.code, $1.subject, $1.symbol)
    }
    let all = findings
    var gone: [Finding] = []
    if let baseline {
      let compared = baseline.compared(with: findings)
      findings = compared.fresh
      gone = missing(compared.gone, of: baseline)
    }
    let folder = AuditResult.folder(of: package.root)
    var modules = judged.modules
    for index in modules.indices {
      let reason = modules[index].reason
      modules[index].reason = reason.map { named($0, from: "") }
      modules[index].placedReason = reason.map { named($0, from: folder) }
    }
    return AuditResult(
      toolchain: toolchain?.version ?? "", modules: modules, filesParsed: judged.filesParsed,
      findings: findings + gone, known: all.count - findings.count, notes: notes.map { named($0, from: "") },
      failOn: options.failOn ?? configuration.failOn ?? .warning, seconds: 0, unreadable: unreadable, folder: folder,
      placedNotes: notes.map { named($0, from: folder) })
  }

  /// What a baseline holds and the code no longer has. With only some files or rules asked for, nothing is known of the
  /// others.
  private mutating func missing(_ gone: [Baseline.Entry], of baseline: Baseline) -> [Finding] {
    guard options.changedSince == nil else { return [] }
    let gone = gone.filter { one in
      options.rules.isEmpty || RuleCatalogue.documentation(for: one.rule).map { isEnabled($0) } ?? false
    }
    if options.expectsBaseline { return gone.map { $0.finding(in: options.path, of: baseline) } }
    if let first = gone.first {
      let more = gone.count > 1 ? " and \(gone.count - 1) more" : ""
      notes.append(
        "\(gone.count) of the findings in '\(baseline.path)' \(gone.count == 1 ? "is" : "are") gone: "
          + "\(first.rule) in \(package.root)/\(first.file)\(more); write it anew with --write-baseline \(baseline.path)"
      )
    }
    return []
  }

  /// What the rules said, before anything that depends on this run's options alone.
  private struct JudgedFindings: Codable {
    var modules: [AuditResult.Module]
    var filesParsed: Int
    var findings: [Finding]
    var notes: [String]
  }

  /// The same sources under the same configuration have the same findings.
  private func resultKey(_ plan: SILFrontend.Plan, _ modules: [SourceModule], _ contracts: [Contract]) -> String {
    var hash = ContentHash()
    for keys in plan.keys { for key in keys { hash.add(key) } }
    for module in modules { hash.add(module.name) }
    hash.add(package.root)
    return digest(&hash, contracts)
  }

  /// The same when the source alone is read: then its bytes are all that counts.
  private func sourceKey(_ modules: [SourceModule], _ contracts: [Contract]) -> String {
    var hash = ContentHash()
    hash.add("source \(SILFrontend.ownIdentity) \(options.sourceOnly)")
    for module in modules {
      hash.add("\(module.name) \(module.defaultIsolation ?? "") \(module.isNonsendingByDefault)")
      for source in module.sources {
        hash.add(source)
        MappedFile(source)?.withBytes { hash.add($0) }
      }
    }
    return digest(&hash, contracts)
  }

  private func digest(_ hash: inout ContentHash, _ contracts: [Contract]) -> String {
    hash.add(configuration.identity)
    for rule in options.rules.sorted() { hash.add(rule) }
    for contract in contracts { hash.add("\(contract.target.text) \(contract.state)") }
    return hash.digest + ".findings"
  }

  func ownSources(_ modules: [SourceModule]) -> [String] {
    Set(modules.flatMap(\.sources).filter { package.isOwn($0) && !isExcluded($0) }).sorted()
  }

  private func judge(
    _ modules: [SourceModule], _ toolchain: Toolchain?, _ frontend: SILFrontend?, _ plan: SILFrontend.Plan?,
    _ contracts: [Contract]
  ) -> JudgedFindings {
    let reading = reading(modules, toolchain, frontend, plan)
    let sources = reading.ownFiles
    var findings = findings(in: reading, contracts)
    findings = findings.filter { sources.contains($0.location.file) }
    let suppressions = ConcurrentMap.lists(of: sources.sorted(), width: width) { file in
      FileManager.default.contents(atPath: file).map { Suppressions.read($0, file: file) } ?? []
    }
    let guessedModules = Set(reading.modules.filter { $0.source == .syntax }.map(\.name))
    let guessed = Set(reading.files.compactMap(\.declared).filter { guessedModules.contains($0.module) }.map(\.file))
    findings = Suppressions.apply(suppressions.filter { isAsked($0) }, to: findings, readFromSource: guessed)
    return JudgedFindings(
      modules: reading.modules, filesParsed: reading.outlines.count, findings: findings.map { relative($0) },
      notes: reading.unknown)
  }

  /// What the rules that are wanted say, each with the severity that the configuration gives it.
  private func findings(in reading: Reading, _ contracts: [Contract]) -> [Finding] {
    let groups = width > 1 ? RuleCatalogue.groups : [RuleCatalogue.rules]
    let wanted = groups.map { $0.filter { isEnabled($0.documentation) } }.filter { !$0.isEmpty }
    let found = Mutex<[[Finding]]>(wanted.map { _ in [] })
    DeepStack.perform(wanted.count, width: width) { group in
      let program = reading.program()
      program.contracts = contracts
      var findings: [Finding] = []
      for rule in wanted[group] {
        for var finding in rule.findings(in: program) {
          if case .severity(let severity)? = configuration.rules[finding.rule],
            finding.severity == rule.documentation.severity
          {
            finding.severity = severity
          }
          findings.append(finding)
        }
      }
      found.withLock { $0[group] = findings }
    }
    return found.withLock { $0.flatMap(\.self) }
  }

  private func isEnabled(_ rule: RuleDocumentation) -> Bool {
    if configuration.rules[rule.id] == .off { return false }
    return options.rules.isEmpty || options.rules.contains { $0 == rule.id || $0.uppercased() == rule.code }
  }

  /// With only some rules asked for, silencers of the others are not superfluous.
  private func isAsked(_ suppression: Suppression) -> Bool {
    guard !options.rules.isEmpty else { return true }
    return suppression.rules.allSatisfy { name in
      RuleCatalogue.documentation(for: name).map { isEnabled($0) } ?? true
    }
  }

  private func isExcluded(_ file: String) -> Bool {
    let inner = String(file.dropFirst(package.root.count + 1))
    return configuration.exclude.contains { GlobPattern($0).matches(inner) }
  }

  private func relative(_ finding: Finding) -> Finding {
    var finding = finding
    finding.location.file = relative(finding.location.file)
    for index in finding.path.indices {
      finding.path[index].location.file = relative(finding.path[index].location.file)
    }
    for index in finding.jobs.indices {
      finding.jobs[index].location.file = relative(finding.jobs[index].location.file)
    }
    return finding
  }

  /// A sentence whose files are named from the package, or, with the way down to the package, from the working directory.
  func named(_ sentence: String, from folder: String) -> String {
    sentence.replacingOccurrences(of: package.root + "/", with: folder)
  }

  func relative(_ file: String) -> String {
    file.hasPrefix(package.root + "/") ? String(file.dropFirst(package.root.count + 1)) : file
  }
}
