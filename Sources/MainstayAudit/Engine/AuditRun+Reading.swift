/// From modules to facts: through the compiler where it can, from the source alone where it cannot, and what that left out.
import MainstayFindings

extension AuditRun {
  /// Everything that was read, before any rule judges it.
  struct Reading: Sendable {
    var files: [FileFacts]
    var ownFiles: Set<String>
    var defaultIsolation: [String: String]
    var configuration: Configuration
    var outlines: SourceOutlines
    var modules: [AuditResult.Module]
    var unknown: [String]

    /// One for each thread that asks: what a program finds out, it keeps.
    func program() -> Program {
      let program = Program(
        files: files, ownFiles: ownFiles, defaultIsolation: defaultIsolation, configuration: configuration)
      program.reasons = SourceIsolationReasons(program, outlines: outlines)
      return program
    }
  }

  /// Reads a package as an audit does, for whoever asks something else of it.
  mutating func reading() throws -> Reading {
    let modules = try modules()
    let toolchain = try? Toolchain(compiler: AuditRun.compiler(of: modules))
    let frontend = options.sourceOnly ? nil : toolchain.flatMap { silFrontend($0) }
    return reading(modules, toolchain, frontend, frontend?.plan(modules))
  }

  func reading(
    _ modules: [SourceModule], _ toolchain: Toolchain?, _ frontend: SILFrontend?, _ plan: SILFrontend.Plan?
  ) -> Reading {
    var unknown: [String] = []
    let (files, coverage) = read(modules, toolchain, frontend, plan, &unknown)
    progress(.judging)
    let defaults = modules.compactMap { module in module.defaultIsolation.map { (module.name, $0) } }
    var outlines: [String: SourceOutline] = [:]
    for case let (file?, outline?) in files.lazy.map({ ($0.declared?.file, $0.outline) }) { outlines[file] = outline }
    return Reading(
      files: files, ownFiles: Set(ownSources(modules)),
      defaultIsolation: Dictionary(defaults, uniquingKeysWith: { first, _ in first }), configuration: configuration,
      outlines: SourceOutlines(outlines), modules: coverage, unknown: unknown)
  }

  func silFrontend(_ toolchain: Toolchain) -> SILFrontend? {
    guard toolchain.refusal == nil else { return nil }
    return SILFrontend(toolchain: toolchain, cache: cache, width: width)
  }

  /// The compiler of a build; nil when no build says which.
  static func compiler(of modules: [SourceModule]) -> String? {
    modules.lazy.compactMap(\.command).first { !$0.isFrontend }?.compiler
  }

  /// Why there is no compiler that could be asked.
  private static func missingCompiler(_ modules: [SourceModule]) -> FrontendFailure {
    do {
      return FrontendFailure(
        reason: "\(try Toolchain(compiler: compiler(of: modules)).compiler) answered too late")
    } catch {
      return error as? FrontendFailure ?? FrontendFailure(reason: "there is no swiftc in PATH")
    }
  }

  private func read(
    _ modules: [SourceModule], _ toolchain: Toolchain?, _ frontend: SILFrontend?, _ plan: SILFrontend.Plan?,
    _ notes: inout [String]
  ) -> ([FileFacts], [AuditResult.Module]) {
    var results: [SILFrontend.ModuleResult]
    if let frontend, let plan {
      let progress = progress
      results = frontend.read(modules, plan) { progress(.reading(files: $0.emitted, of: $0.total)) }
      if !package.isPackage, options.buildLog == nil {
        let failure = FrontendFailure(reason: "this is not a Swift package, so nothing was built")
        for index in results.indices { results[index].failure = failure }
      }
    } else {
      let failure =
        options.sourceOnly
        ? FrontendFailure(reason: "the source alone was asked for")
        : toolchain?.refusal ?? AuditRun.missingCompiler(modules)
      results = modules.map { _ in SILFrontend.ModuleResult(files: [], failure: failure) }
    }
    var files: [FileFacts] = []
    var coverage: [AuditResult.Module] = []
    var unknown: Set<String> = []
    let failed = modules.indices.filter { results[$0].failure != nil }
    // Together, so that each knows what the others declare.
    let kept = cache.map { SourceCache(FactsCache(directory: $0.directory + "/source")) }
    let bySource = failed.isEmpty ? [] : SyntaxFrontend(width: width, cache: kept).read(failed.map { modules[$0] })
    for (index, (module, result)) in zip(modules, results).enumerated() {
      var source = AuditResult.Module.Source.sil
      var read = result.files
      var leftOut: [String] = []
      if result.failure != nil {
        let found = failed.firstIndex(of: index).map { bySource[$0] } ?? []
        leftOut = found.compactMap(\.leftOut)
        read = found.filter { $0.leftOut == nil }
        source = read.isEmpty ? .none : .syntax
      }
      for file in read { unknown.formUnion(file.unknown) }
      files += read
      coverage.append(
        AuditResult.Module(
          name: module.name, source: source,
          reason: source == .none && !leftOut.isEmpty ? "none of its sources can be read" : result.failure?.reason,
          functions: read.reduce(0) { $0 + $1.functions.count { !$0.flags.contains(.isThunk) } },
          isDegraded: result.failure != nil && !options.sourceOnly && (package.isPackage || options.buildLog != nil),
          leftOut: leftOut))
      notes += leftOut
    }
    notes += misread(files)
    if !unknown.isEmpty {
      let list = unknown.sorted().prefix(8).joined(separator: ", ")
      notes.append("the compiler's output holds what this version does not know: \(list); findings may be missing")
    }
    return (files, coverage)
  }

  /// A sentence for each way in which files could not be understood, with their whole paths: `placed` names them.
  private func misread(_ files: [FileFacts]) -> [String] {
    var unparsed: [String] = []
    var replaced: [String] = []
    for file in files {
      let name = file.declared?.file ?? ""
      switch file.misread {
      case .doesNotParse(let line)?: unparsed.append("\(name):\(line)")
      case .notUTF8?: replaced.append(name)
      case nil: break
      }
    }
    func sentence(_ names: [String], _ one: String, _ many: String) -> String? {
      guard let first = names.first else { return nil }
      if names.count == 1 { return "\(first) \(one)" }
      let more = names.count > 6 ? " and \(names.count - 6) more" : ""
      return "\(names.count) files \(many): \(names.sorted().prefix(6).joined(separator: ", "))\(more)"
    }
    return [
      sentence(
        unparsed, "does not parse: it was read as far as it can be understood",
        "do not parse, and were read as far as they can be understood"),
      sentence(
        replaced, "is not all UTF-8: what is not was read as unknown characters",
        "are not all UTF-8: what is not was read as unknown characters"),
    ].compactMap(\.self)
  }
}
