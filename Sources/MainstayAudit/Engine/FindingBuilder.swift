/// Makes findings in one voice: names, isolation with its reason, and paths.
import MainstayFindings

struct FindingBuilder {
  let program: Program
  let documentation: RuleDocumentation

  init(_ program: Program, _ documentation: RuleDocumentation) {
    self.program = program
    self.documentation = documentation
  }

  /// - Parameters:
  ///   - function: the function that the finding is about.
  ///   - subject: what distinguishes the defect within the function.
  ///   - jobs: the jobs in which the defect does its harm; those that run the finding's place when nil.
  func finding(
    about function: Int, at location: SourceLocation, subject: String, message: String, action: String,
    path: [PathStep], roots: [String] = [], severity: Severity? = nil, confidence: Confidence = .high,
    jobs: [JobKey]? = nil
  ) -> Finding {
    let facts = program.functions[function]
    var confidence = min(confidence, facts.source.confidence)
    if facts.source == .syntax { confidence = min(confidence, .low) }
    return Finding(
      rule: documentation.id, code: documentation.code, severity: severity ?? documentation.severity,
      confidence: confidence, message: message, action: action, function: facts.display, symbol: facts.name,
      isolation: program.isolation(of: function), location: location, path: path, roots: roots, subject: subject,
      jobs: jobs ?? program.jobs(at: location, of: function))
  }

  /// A finding about a type, wherever its functions run.
  func finding(
    aboutType type: DeclarationIndex.Entry, subject: String, message: String, action: String, path: [PathStep],
    severity: Severity?, confidence: Confidence
  ) -> Finding {
    let name = type.primary?.name ?? ""
    var finding = finding(
      in: name, module: type.module, at: type.primary?.location ?? path[0].location, subject: subject, message: message,
      action: action, path: path, confidence: confidence)
    finding.severity = severity ?? finding.severity
    finding.isolation = type.primary?.attributes.first { program.globalActors.contains($0) } ?? ""
    return finding
  }

  /// A finding about a declaration that is no function.
  func finding(
    in name: String, module: String, at location: SourceLocation, subject: String, message: String, action: String,
    path: [PathStep], confidence: Confidence
  ) -> Finding {
    Finding(
      rule: documentation.id, code: documentation.code, severity: documentation.severity,
      confidence: program.isFromSource(module) ? min(confidence, .low) : confidence, message: message, action: action,
      function: name, symbol: "", isolation: "", location: location, path: path, roots: [], subject: subject)
  }
}

extension Program {
  /// Whether a module's functions were read from its source alone.
  func isFromSource(_ module: String) -> Bool { sourceModules.contains(module) }

  /// Where a function runs and why, for a person: `MainActor (default of module App)`.
  func isolation(of index: Int) -> String {
    let function = functions[index]
    let place: String
    switch function.isolation {
    case .unknown: return function.isAsync ? "nonisolated" : "the caller's"
    case .nonisolated: return "nonisolated"
    case .caller: return "the caller's"
    case .globalActor(let name): place = name
    case .selfActor: place = Program.enclosingType(function.display) ?? "self"
    case .parameter(let name): place = "the actor \(name)"
    }
    guard let reason = reasons?.reason(for: function, default: defaultIsolation[function.module]) else { return place }
    return "\(place) (\(reason))"
  }
}
