/// MS201: an actor's state is tested, the job is suspended, and the state is changed without a new test.
import MainstayFindings

enum CheckThenAct: Rule {
  static let documentation = RuleDocumentation(
    id: "check_then_act", code: "MS201", severity: .warning,
    claim: "State that was checked or copied before an await is changed after it as if nothing had happened meanwhile.",
    exemptions:
      "A flag or a table entry set before the await, a new check after it, a change made before and undone "
      + "after, code that only runs inside a lock-like closure. Resets to a constant are notes.",
    fires: """
      actor Wallet {
        func pay(_ amount: Int) async throws {
          guard balance >= amount else { throw Refused() }
          try await fraud.approve(amount)      // other payments run here
          balance -= amount
        }
      }
      """,
    silent: """
      func pay(_ amount: Int) async throws {
        try await fraud.approve(amount)
        guard balance >= amount else { throw Refused() }
        balance -= amount
      }
      """,
    fix:
      "Check again after the await, do the slow part first, or change the state before the await and undo it on "
      + "failure.",
    references: ["Swift Evolution SE-0306, actor reentrancy", "Documentation/Articles.md, 4.5"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated() where isCandidate(function, index, program) {
      findings += CheckThenActSearch(index, builder).findings()
    }
    return findings
  }

  private static func isCandidate(_ function: FunctionFacts, _ index: Int, _ program: Program) -> Bool {
    function.isAsync && function.isolation.isActor && program.isOwn(function)
      && !function.flags.contains(.isInitializer) && !function.flags.contains(.isDeinitializer)
      && function.events.indices.contains { function.suspends($0) } && !program.locks.isSerialised(index)
  }
}

/// The search in one function.
private struct CheckThenActSearch {
  private let index: Int
  private let builder: FindingBuilder
  private let program: Program
  private let function: FunctionFacts
  private let flow: ControlFlow
  /// What each branch tests, each with the event that read it.
  private var checks: [Int: [(place: Place, event: Int)]] = [:]
  /// What each event writes, helpers included.
  private var writes: [Int: [WriteEffect]] = [:]
  /// The writes that are latches: the same whatever is checked, and much to find out.
  private var latches: Set<Int> = []

  init(_ index: Int, _ builder: FindingBuilder) {
    self.index = index
    self.builder = builder
    program = builder.program
    function = program.functions[index]
    flow = ControlFlow(function)
    for number in function.events.indices {
      switch function.events[number].kind {
      case .branch(let origins):
        let places = program.effects.places(of: origins, in: function).filter { isShared($0.place) }
        if !places.isEmpty { checks[number] = places }
      case .write(let write) where isShared(write.place):
        writes[number] = [
          WriteEffect(
            place: write.place, origins: write.origins, literal: write.literal, isPartial: write.isPartial,
            isGuarded: false, location: function.events[number].location, isDeferred: false)
        ]
      case .call(let call) where call.executor == .own && !call.isAsync:
        let effects = program.effects.effects(of: call, in: function).writes.filter { isShared($0.place) }
        if !effects.isEmpty { writes[number] = effects }
      default: break
      }
    }
    latches = Set(writes.filter { event, effects in effects.contains { isLatch($0.place, before: event) } }.keys)
  }

  /// State of the actor itself, or of objects that it holds: not of values on the stack.
  private func isShared(_ place: Place) -> Bool {
    place.root == "self" || place.root.hasPrefix("self.") || place.root == "global" || place.root.hasSuffix(".shared")
      || place.root.contains(".shared.")
  }

  func findings() -> [Finding] {
    var byMember: [String: Finding] = [:]
    for (branch, places) in checks.sorted(by: { $0.key < $1.key }) {
      for (place, read) in places {
        // A decision taken from what was read before an await is stale from the start.
        let stale = read == branch ? nil : flow.suspension(from: read, to: branch)
        for finding in acts(on: place, checkedAt: branch, since: stale ?? -1) { keep(finding, &byMember) }
      }
    }
    for finding in lostUpdates() { keep(finding, &byMember) }
    return byMember.sorted { $0.key < $1.key }.map(\.value)
  }

  /// One finding a member in a function: the surest, then the first.
  private func keep(_ finding: Finding, _ kept: inout [String: Finding]) {
    if let other = kept[finding.subject],
      (other.severity, other.confidence, finding.location) >= (finding.severity, finding.confidence, other.location)
    {
      return
    }
    kept[finding.subject] = finding
  }

  private struct PathState: Hashable {
    var crossed = -1
  }

  private func acts(on place: Place, checkedAt branch: Int, since suspension: Int) -> [Finding] {
    var findings: [Finding] = []
    if suspension >= 0, rechecked(place, after: suspension, before: branch) { return [] }
    flow.walk(after: branch, state: PathState(crossed: suspension)) { event, state in
      if let places = checks[event], state.crossed >= 0 || event != branch,
        places.contains(where: { $0.place.overlaps(place) && isFresh($0.event, at: event) })
      {
        return .stop
      }
      if let effects = writes[event] {
        for write in effects where write.place.overlaps(place) {
          if state.crossed >= 0, !write.isGuarded, flow.controls(branch: branch, event: event) {
            findings.append(finding(write, at: event, place: place, check: branch, suspension: state.crossed))
          }
          return .stop
        }
        if state.crossed < 0, latches.contains(event) { return .stop }
      }
      if state.crossed < 0, function.suspends(event) { state.crossed = event }
      return .goOn
    }
    return findings
  }

  private func isFresh(_ read: Int, at branch: Int) -> Bool { flow.suspension(from: read, to: branch) == nil }

  /// A member that is tested before it is set keeps others out for as long as it is set.
  private func isLatch(_ place: Place, before event: Int) -> Bool {
    checks.contains { branch, places in branch < event && places.contains { $0.place.overlaps(place) } }
  }

  /// A value taken from state before an await, written back to the same state after it.
  private func lostUpdates() -> [Finding] {
    var findings: [Finding] = []
    for (event, effects) in writes.sorted(by: { $0.key < $1.key }) {
      for write in effects where !write.isGuarded {
        for (place, read) in sources(of: write, at: event) where place.overlaps(write.place) && isShared(place) {
          guard let suspension = flow.suspension(from: read, to: event),
            !rechecked(place, after: suspension, before: event),
            !isLatched(read: read, suspension: suspension)
          else { continue }
          findings.append(finding(write, at: event, place: place, copy: read, suspension: suspension))
        }
      }
    }
    return findings
  }

  /// What was read to make the written value or the index, also when an awaited call turned it into something else.
  private func sources(of write: WriteEffect, at event: Int) -> [(place: Place, event: Int)] {
    var result = program.effects.places(of: write.origins, in: function)
    // An awaited function of the state gives a new value for the old state.
    if !write.isPartial {
      for member in write.origins.members where member >= 0 && Int(member) < function.events.count {
        guard let call = function.call(at: Int(member)), call.isAsync else { continue }
        for (position, argument) in call.arguments.enumerated() where position != call.receiver {
          for origin in argument.origins.members where origin >= 0 {
            if case .read(let place) = function.events[Int(origin)].kind { result.append((place, Int(origin))) }
          }
        }
      }
    }
    return result
  }

  private func rechecked(_ place: Place, after suspension: Int, before event: Int) -> Bool {
    checks.contains { branch, places in
      places.contains { $0.place.overlaps(place) && flow.suspension(from: $0.event, to: branch) == nil }
        && flow.controls(branch: branch, event: event) && follows(branch, suspension)
        && flow.suspension(from: branch, to: event) == nil
    }
  }

  private func follows(_ event: Int, _ earlier: Int) -> Bool {
    var found = false
    flow.walk(after: earlier, state: 0) { candidate, _ in
      if candidate == event { found = true }
      return found ? .stop : .goOn
    }
    return found
  }

  /// Whether a flag that is tested in this function was set between the copy and the await.
  private func isLatched(read: Int, suspension: Int) -> Bool {
    writes.contains { event, effects in
      event < suspension && follows(suspension, event) && flow.suspension(from: event, to: suspension) == nil
        && effects.contains { write in
          checks.contains { branch, places in
            branch < event && places.contains { $0.place.overlaps(write.place) }
              && flow.controls(branch: branch, event: suspension)
          }
        }
    }
  }

  // MARK: Findings

  private func finding(
    _ write: WriteEffect, at event: Int, place: Place, check branch: Int, suspension: Int
  ) -> Finding {
    let name = SILValueFlow.memberName(write.place.member)
    let usesAwaited = program.effects.expanded(write.origins, in: function).contains { member in
      member >= 0 && function.suspends(Int(member))
    }
    // Back to a fixed state is advice; `true` after the await is the latch that came too late.
    let isReset =
      isReset(write) || write.isDeferred && write.isPartial
      || write.literal == "true" && isDecidedAfter(suspension, event)
    return builder.finding(
      about: index, at: location(write, event), subject: write.place.member,
      message:
        "\(name) may have changed during the await: it was checked before, and is changed here without a new check",
      action: "check again after the await, or do the slow part first",
      path: [
        PathStep(
          location: function.events[branch].location, text: "\(SILValueFlow.memberName(place.member)) is checked here"),
        PathStep(location: function.events[suspension].location, text: "suspended here: \(awaited(suspension))"),
        PathStep(location: location(write, event), text: "\(name) is changed here"),
      ] + inner(write, event), severity: isReset ? .note : nil,
      confidence: isReset ? .low : usesAwaited || write.literal != nil ? .medium : .high)
  }

  /// Back to something fixed: a literal, or a fresh value that depends on nothing.
  private func isReset(_ write: WriteEffect) -> Bool {
    if write.isPartial || write.literal == "true" { return false }
    return program.effects.expanded(write.origins, in: function).allSatisfy { member in
      guard member >= 0, let call = function.call(at: Int(member)) else { return false }
      return !call.suspends && program.effects.effects(of: call, in: function).reads.isEmpty
    }
  }

  /// Whether something learnt after the await decides about the write.
  private func isDecidedAfter(_ suspension: Int, _ event: Int) -> Bool {
    function.events.indices.contains { branch in
      function.branch(at: branch) != nil && flow.controls(branch: branch, event: event) && follows(branch, suspension)
    }
  }

  private func finding(
    _ write: WriteEffect, at event: Int, place: Place, copy read: Int, suspension: Int
  ) -> Finding {
    let name = SILValueFlow.memberName(write.place.member)
    return builder.finding(
      about: index, at: location(write, event), subject: write.place.member,
      message: "\(name) may have changed during the await: what was read from it before is written back here",
      action: "read \(name) again after the await, or find the element anew",
      path: [
        PathStep(
          location: function.events[read].location, text: "\(SILValueFlow.memberName(place.member)) is read here"),
        PathStep(location: function.events[suspension].location, text: "suspended here: \(awaited(suspension))"),
        PathStep(location: location(write, event), text: "\(name) is changed here with the old value"),
      ] + inner(write, event), confidence: .high)
  }

  private func awaited(_ event: Int) -> String {
    guard let call = function.call(at: event) else { return "await" }
    let name = CalleePattern.normalised(call.display)
    return name.isEmpty ? "await" : "await \(name)"
  }

  /// The write in this function, or the call of the helper that writes.
  private func location(_ write: WriteEffect, _ event: Int) -> SourceLocation {
    write.isDeferred ? write.location : function.events[event].location
  }

  private func inner(_ write: WriteEffect, _ event: Int) -> [PathStep] {
    guard !write.isDeferred, write.location != function.events[event].location else { return [] }
    return [PathStep(location: write.location, text: "in the function that is called")]
  }
}
