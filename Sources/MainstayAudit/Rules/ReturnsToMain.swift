/// MS103: work sent away from the main actor whose heavy part comes straight back to it.
import MainstayFindings

enum ReturnsToMain: Rule {
  static let documentation = RuleDocumentation(
    id: "returns_to_main", code: "MS103", severity: .warning,
    claim:
      "A detached or background task, or a @concurrent function, calls main-actor code that does the heavy work there.",
    exemptions: "Work that really leaves: the main-actor part only stores the result.",
    fires: """
      @MainActor final class Model {
        func parse(_ data: Data) -> [Row] { (try? JSONDecoder().decode([Row].self, from: data)) ?? [] }
        func load(_ data: Data) { Task.detached { await self.parse(data) } }   // parse runs on the main actor
      }
      """,
    silent: """
      nonisolated func parse(_ data: Data) -> [Row] { … }
      func load(_ data: Data) { Task.detached { let rows = parse(data); await self.show(rows) } }
      """,
    fix: "Make the function that does the work nonisolated, and return to the main actor with its result only.",
    references: ["Documentation/Articles.md, 0.8 and 0.15"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated() where program.isOwn(function) {
      for event in function.events {
        guard case .call(let call) = event.kind, let spawn = Spawn(call), let closure = spawn.closure,
          let body = program.function(named: closure.function)
        else { continue }
        guard spawn.kind == .detached || Spawn.isLowPriority(call, in: function) else { continue }
        if program.functions[body].isolation.isMain {
          // The closure is the main actor's, by its own words or by inheritance: the task never leaves.
          if let site = program.sinks.sites(reachedBy: body).first {
            findings.append(finding(builder, index, at: event.location, runs: body, site, spawn: event.location))
          }
        } else {
          findings += returns(fromAll: body, spawnedAt: event.location, builder)
        }
      }
      if function.isAsync, function.isolation == .nonisolated, !function.isClosure,
        program.reasons?.hasAttribute("concurrent", on: function) == true
      {
        findings += returns(fromAll: index, spawnedAt: nil, builder)
      }
    }
    return SinkFindings.unique(findings)
  }

  /// The returns of a job and of the child tasks that it starts: by `async let`, in groups, under a handler.
  private static func returns(
    fromAll body: Int, spawnedAt spawn: SourceLocation?, _ builder: FindingBuilder
  ) -> [Finding] {
    let program = builder.program
    var findings = returns(from: body, spawnedAt: spawn, builder)
    var work = [body]
    var seen: Set<Int> = [body]
    while let next = work.popLast(), seen.count < 32 {
      for event in program.functions[next].events {
        guard case .call(let call) = event.kind, Spawn(call) == nil else { continue }
        for closure in call.arguments.flatMap(\.closure) {
          guard let child = program.function(named: closure.function), seen.insert(child).inserted,
            !program.functions[child].isolation.isActor
          else { continue }
          findings += returns(from: child, spawnedAt: spawn, isChild: true, builder)
          work.append(child)
        }
      }
    }
    return findings
  }

  /// The awaits in a function that hop to the main actor for a callee that reaches a sink.
  private static func returns(
    from body: Int, spawnedAt spawn: SourceLocation?, isChild: Bool = false, _ builder: FindingBuilder
  ) -> [Finding] {
    let program = builder.program
    let function = program.functions[body]
    var findings: [Finding] = []
    for event in function.events {
      guard case .call(let call) = event.kind, call.suspends else { continue }
      let targets = program.targets(of: call).flatMap { program.unwrapped($0) }
      let closures = call.arguments.flatMap(\.closure).compactMap { program.function(named: $0.function) }
      let mains = (targets + closures).filter { program.functions[$0].isolation.isMain }
      for target in mains {
        if let site = program.sinks.sites(reachedBy: target).first {
          findings.append(finding(builder, body, at: event.location, runs: target, site, spawn: spawn))
          break
        }
      }
    }
    if findings.isEmpty, !isChild, let note = emptyReturn(from: body, spawnedAt: spawn, builder) {
      findings.append(note)
    }
    return findings
  }

  /// A detached task whose only work is one main-actor call: the detour buys nothing.
  private static func emptyReturn(
    from body: Int, spawnedAt spawn: SourceLocation?, _ builder: FindingBuilder
  ) -> Finding? {
    let program = builder.program
    let function = program.functions[body]
    var target: (Int, SourceLocation)?
    for event in function.events {
      guard case .call(let call) = event.kind else { continue }
      if SILDialect.foreignPrefixes.contains(where: { call.callee.symbol?.hasPrefix($0) == true }), !call.isAsync {
        continue
      }
      let targets = program.targets(of: call).flatMap { program.unwrapped($0) }
      guard call.suspends, let first = targets.first(where: { program.functions[$0].isolation.isMain }), target == nil
      else { return nil }
      target = (first, event.location)
    }
    guard let (callee, location) = target, spawn != nil else { return nil }
    return builder.finding(
      about: body, at: location, subject: program.functions[callee].display,
      message: "all that this task does runs on the main actor: \(program.functions[callee].display)",
      action: "call it from a plain Task, or move the work into a nonisolated function",
      path: [
        PathStep(location: spawn ?? location, text: "started away from the main actor here"),
        PathStep(location: location, text: "returns to the main actor for \(program.functions[callee].display)"),
      ], severity: .note, confidence: .medium)
  }

  private static func finding(
    _ builder: FindingBuilder, _ function: Int, at location: SourceLocation, runs target: Int, _ site: SinkReach.Site,
    spawn: SourceLocation?
  ) -> Finding {
    let program = builder.program
    var path: [PathStep] = []
    if let spawn { path.append(PathStep(location: spawn, text: "leaves the main actor here")) }
    path.append(PathStep(location: location, text: "returns to it for \(program.functions[target].display)"))
    path.append(PathStep(location: site.location, text: "which reaches \(site.display): \(site.sink.reason)"))
    return builder.finding(
      about: function, at: location, subject: program.functions[target].display,
      message:
        "the heavy part of this work runs on the main actor: \(program.functions[target].display) reaches "
        + "\(site.display)",
      action: "make the function that does the work nonisolated, and return with its result only", path: path,
      roots: [program.functions[target].display], confidence: site.sink.confidence,
      jobs: program.jobs(running: site.event, of: site.function, onMain: true))
  }
}

extension Callee {
  /// The mangled name, when the callee is a known function.
  var symbol: String? {
    if case .function(let name) = self { return name }
    return nil
  }
}
