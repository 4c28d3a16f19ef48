/// The search of MS201 in one function: what is tested, what is written, and which awaits lie between.
import MainstayFindings

struct CheckThenActSearch {
  let index: Int
  let builder: FindingBuilder
  let program: Program
  let function: FunctionFacts
  let flow: ControlFlow
  private let shared: CheckThenActState
  private let lone: LoneRuns

  init(_ index: Int, _ builder: FindingBuilder, _ lone: LoneRuns) {
    self.index = index
    self.builder = builder
    self.lone = lone
    program = builder.program
    function = program.functions[index]
    flow = ControlFlow(function)
    shared = CheckThenActState(function, program)
  }

  func findings() -> [Finding] {
    var byMember: [String: Finding] = [:]
    for (branch, places) in shared.checks.sorted(by: { $0.key < $1.key }) {
      for (place, read) in places where !isTaken(place, read, function.branch(at: branch), before: branch) {
        // A decision taken from what was read before an await is stale from the start.
        let stale =
          read == branch || places.contains(where: { $0.place == place && isFresh($0.event, at: branch) })
          ? nil : flow.suspension(from: read, to: branch)
        for finding in acts(on: place, readAt: read, checkedAt: branch, since: stale ?? -1) { keep(finding, &byMember) }
      }
    }
    for finding in lostUpdates() { keep(finding, &byMember) }
    return byMember.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Whether the call that gave the answer changed the state in the same step: `popFirst`, a state machine's transition.
  /// Who comes next finds it changed.
  private func isTaken(_ place: Place, _ read: Int, _ origins: Origins?, before end: Int) -> Bool {
    guard read < end, let origins else { return false }
    // A helper that tests a flag and sets it: whoever comes next finds it set.
    if let call = function.call(at: read), !call.suspends,
      program.effects.effects(of: call, in: function).writes.contains(where: {
        $0.place == place && $0.isGuarded && $0.literal != nil
      })
    {
      return true
    }
    return (read..<end).contains { event in
      guard let write = function.write(at: event), write.isPartial,
        write.place.overlaps(place)
          || place.root == "\(write.place.root).\(SILValueFlow.memberName(write.place.member))"
      else { return false }
      return write.origins.members.contains { member in
        member >= 0 && function.call(at: Int(member)) != nil
          && program.effects.expanded(origins, in: function).contains(member)
      }
    }
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

  private func acts(
    on place: Place, readAt read: Int, checkedAt branch: Int, since suspension: Int
  ) -> [Finding] {
    var findings: [Finding] = []
    if suspension >= 0, rechecked(place, after: suspension, before: branch) { return [] }
    flow.walk(after: branch, state: PathState(crossed: suspension)) { event, state in
      if let places = shared.checks[event], state.crossed >= 0 || event != branch,
        places.contains(where: { $0.place.overlaps(place) && isFresh($0.event, at: event) })
      {
        return .stop
      }
      // The call that was asked is asked again, in the next turn of a loop: it looks at the state anew.
      if event == read, function.call(at: event) != nil { return .stop }
      if let effects = shared.writes[event] {
        for write in effects where write.place.overlaps(place) && !replaces(write, more: place) {
          let suspension = state.crossed >= 0 ? state.crossed : write.isLate ? event : -1
          if suspension >= 0, !write.isGuarded, flow.controls(branch: branch, event: event),
            !isLatched(read: branch, suspension: suspension, beside: place),
            !notesFailure(write, at: event, of: suspension, beside: place),
            !runsAlone(write, at: event, since: suspension), !isUnasked(write, by: branch, read: read),
            !isSameVersion(read: read, suspension: suspension, before: event)
          {
            findings.append(finding(write, at: event, place: place, check: branch, suspension: suspension))
          }
          return .stop
        }
        if state.crossed < 0, shared.latches.contains(event) { return .stop }
      }
      if state.crossed < 0, function.suspends(event) { state.crossed = event }
      return .goOn
    }
    return findings
  }

  /// Whether it is only noted that the await failed: `pausedUntil = .now + delay`, which follows from nothing older.
  private func notesFailure(_ write: WriteEffect, at event: Int, of suspension: Int, beside place: Place) -> Bool {
    flow.isOnErrorPath(event, of: suspension) && !write.isPartial
      && !sources(of: write, at: event).contains { $0.place.overlaps(place) }
  }

  /// Whether the answer to a request takes the place of a whole object of which only a part was looked at: its id, to ask.
  private func replaces(_ write: WriteEffect, more place: Place) -> Bool {
    !write.isPartial && place.member.utf8.count > write.place.member.utf8.count
      && write.origins.members.contains { $0 >= 0 && function.suspends(Int($0)) }
  }

  /// Whether this is a part of the only code that changes the member, and one run of it at a time goes on: a busy flag
  /// lets its task start, an object's initialiser starts it, or a view's `.task` brings it, whose await throws when the
  /// view is gone, or which comes to the same again.
  private func runsAlone(_ write: WriteEffect, at event: Int, since suspension: Int) -> Bool {
    guard let keeper = lone.keeper(of: index), lone.alone(index, writes: write.place.member) else { return false }
    if keeper == .flag { return true }
    guard write.place.root == "self" else { return false }
    if keeper == .initialiser { return true }
    guard lone.isInView(index) else { return false }
    if function.call(at: suspension)?.isThrowing == true, !flow.isReached(event, afterThrowOf: suspension) {
      return true
    }
    return !write.isPartial && write.literal == nil && lone.looksAtNothing(index, but: write.place.member)
      && !program.effects.places(of: write.origins, in: function).contains { $0.place.overlaps(write.place) }
  }

  /// Whether a new entry comes where another one was looked for.
  private func isUnasked(_ write: WriteEffect, by branch: Int, read: Int) -> Bool {
    guard write.isNewEntry, let decision = function.branch(at: branch) else { return false }
    return !NewEntries.isAboutSize(decision, read: read, in: function, program.effects)
  }

  private func isFresh(_ read: Int, at branch: Int) -> Bool { flow.suspension(from: read, to: branch) == nil }

  /// A value taken from state before an await, written back to the same state after it.
  private func lostUpdates() -> [Finding] {
    var findings: [Finding] = []
    for (event, effects) in shared.writes.sorted(by: { $0.key < $1.key }) {
      for write in effects where !write.isGuarded {
        for (place, read) in sources(of: write, at: event) where place.overlaps(write.place) && shared.isShared(place) {
          guard let suspension = flow.suspension(from: read, to: event),
            !rechecked(place, after: suspension, before: event),
            !takesBack(event, place, read: read, suspension: suspension),
            !isLatched(read: read, suspension: suspension), !isTaken(place, read, write.origins, before: suspension),
            !isTick(event, read: read, suspension: suspension),
            !isPutBack(write, place, read: read, suspension: suspension),
            !isSameVersion(read: read, suspension: suspension, before: event)
          else { continue }
          findings.append(finding(write, at: event, place: place, copy: read, suspension: suspension))
        }
      }
    }
    return findings
  }

  /// Whether a loop only lets time pass between the copy and the change, and ends when its task was cancelled meanwhile:
  /// a clock's tick, of which whoever starts another clock stops the old one.
  private func isTick(_ event: Int, read: Int, suspension: Int) -> Bool {
    guard let wait = function.call(at: suspension), wait.display.contains(".sleep("), follows(read, event) else {
      return false
    }
    return function.events.indices.contains { check in
      guard let call = function.call(at: check), Cancellation.isCheck(call), follows(check, suspension) else {
        return false
      }
      return follows(event, check) && flow.suspension(from: check, to: event) == nil
    }
  }

  /// Whether the change was made before the await, and is taken back where the await failed.
  private func takesBack(_ event: Int, _ place: Place, read: Int, suspension: Int) -> Bool {
    guard flow.isOnErrorPath(event, of: suspension) else { return false }
    return shared.writes.contains { other, effects in
      other < suspension && other > read && effects.contains { $0.place.overlaps(place) }
    }
  }

  /// Whether all was taken out before the await, and is added again to what has come since.
  private func isPutBack(_ write: WriteEffect, _ place: Place, read: Int, suspension: Int) -> Bool {
    write.isPartial
      && shared.writes.contains { event, effects in
        event > read && event < suspension && flow.suspension(from: read, to: event) == nil
          && effects.contains { $0.place == write.place && isEmptied($0, at: event) }
      }
  }

  private func isEmptied(_ write: WriteEffect, at event: Int) -> Bool {
    if !write.isPartial { return isReset(write) }
    guard event > 0, let call = function.call(at: event - 1) else { return false }
    return CalleePattern.normalised(call.display).prefix { $0 != "(" }.hasSuffix("removeAll")
      && call.arguments.allSatisfy(\.closure.isEmpty)
  }

  /// Whether a version that was read with the state, and is read again after the await, decides about the change: nothing
  /// has changed meanwhile.
  private func isSameVersion(read: Int, suspension: Int, before event: Int) -> Bool {
    function.events.indices.contains { branch in
      guard let origins = function.branch(at: branch), flow.controls(branch: branch, event: event),
        follows(branch, suspension), flow.suspension(from: branch, to: event) == nil
      else { return false }
      let places = program.effects.places(of: origins, in: function).filter { shared.isShared($0.place) }
      return places.contains { old in
        flow.suspension(from: min(old.event, read), to: max(old.event, read)) == nil
          && flow.suspension(from: old.event, to: branch) != nil
          && places.contains { $0.place == old.place && isFresh($0.event, at: branch) }
          && program.isChangeable(old.place.member, in: function.module)
      }
    }
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
    shared.checks.contains { branch, places in
      places.contains { $0.place.overlaps(place) && flow.suspension(from: $0.event, to: branch) == nil }
        && flow.controls(branch: branch, event: event) && follows(branch, suspension)
        && flow.suspension(from: branch, to: event) == nil
    }
  }

  func follows(_ event: Int, _ earlier: Int) -> Bool {
    var found = false
    flow.walk(after: earlier, state: 0) { candidate, _ in
      if candidate == event { found = true }
      return found ? .stop : .goOn
    }
    return found
  }

  /// Whether a flag that is tested in this function was set between the copy and the await: one of its own, where the
  /// place that is tested and changed is given.
  private func isLatched(read: Int, suspension: Int, beside place: Place? = nil) -> Bool {
    shared.writes.contains { event, effects in
      event < suspension && follows(suspension, event) && flow.suspension(from: event, to: suspension) == nil
        && (place == nil || !function.suspends(event))
        && effects.contains { write in
          !(place.map { $0.overlaps(write.place) } ?? false)
            && (shared.checks.contains { branch, places in
              branch < event && places.contains { $0.place.overlaps(write.place) }
                && flow.controls(branch: branch, event: suspension)
            } || isAsked(event, before: suspension))
        }
    }
  }

  /// Whether the answer of the call that changed something lets code go on: `pending.insert(key).inserted`.
  private func isAsked(_ event: Int, before suspension: Int) -> Bool {
    guard let write = function.write(at: event), write.isPartial else { return false }
    return function.events.indices.contains { branch in
      guard branch > event, let origins = function.branch(at: branch),
        flow.controls(branch: branch, event: suspension)
      else { return false }
      return write.origins.members.contains { member in
        guard member >= 0, let call = function.call(at: Int(member)) else { return false }
        return CalleePattern.normalised(call.display).prefix { $0 != "(" }.hasSuffix("insert")
          && program.effects.expanded(origins, in: function).contains(member)
      }
    }
  }
}
