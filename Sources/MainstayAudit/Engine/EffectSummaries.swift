/// What a call does to state, in the caller's terms: summaries of callees, computed once and never stored.
import MainstayFindings

struct ReadEffect: Hashable {
  var place: Place
  var location: SourceLocation
}

struct WriteEffect: Hashable {
  var place: Place
  var origins: Origins
  var literal: String?
  var isPartial: Bool
  /// Whether the callee itself tests that state freshly and may then not write.
  var isGuarded: Bool
  var location: SourceLocation
  /// Whether the callee is a `defer` body: its text stands in the caller.
  var isDeferred: Bool
  /// Whether the callee may have been suspended before it.
  var isLate = false
  /// Whether it puts something under a key that was made for it.
  var isNewEntry = false
  /// Whether it gives an entry of a table another value.
  var isEntry = false
  /// Whether what is written is made from state that was read for it.
  var isDerived = false
  /// Whether the callee compares what it was given with state, or asks for cancellation, and may then not write.
  var isWanted = false
}

struct Effects {
  var reads: [ReadEffect] = []
  var writes: [WriteEffect] = []
  var checksCancellation = false
}

final class EffectSummaries {
  private unowned let program: Program
  private var known: [Int: Effects] = [:]
  private var open: Set<Int> = []

  init(_ program: Program) { self.program = program }

  /// The state that a function reads and writes, async or not, in terms of its own parameters.
  func of(_ index: Int) -> Effects {
    if let effects = known[index] { return effects }
    // A cycle adds nothing that its other members do not say.
    guard open.count < 24, open.insert(index).inserted else { return Effects() }
    defer { open.remove(index) }
    let function = program.functions[index]
    let flow = ControlFlow(function)
    var effects = Effects()
    let late = lateEvents(of: function, flow)
    for (number, event) in function.events.enumerated() {
      switch event.kind {
      case .read(let place): effects.reads.append(ReadEffect(place: place, location: event.location))
      case .write(let write):
        effects.writes.append(
          WriteEffect(
            place: write.place, origins: parameters(of: write.origins, in: function), literal: write.literal,
            isPartial: write.isPartial,
            isGuarded: isTaken(write, in: function) || isGuarded(write.place, at: number, in: function, flow),
            location: event.location, isDeferred: false, isLate: late.contains(number),
            isNewEntry: NewEntries.isOne(write, in: function, self), isEntry: NewEntries.isEntry(write, in: function),
            isDerived: isDerived(write, in: function), isWanted: isWanted(number, write.origins, in: function, flow)))
      case .call(let call):
        if Cancellation.isCheck(call) { effects.checksCancellation = true }
        guard call.executor == .own else { break }
        let inner = self.effects(of: call, in: function)
        effects.reads += inner.reads
        for var write in inner.writes {
          write.origins = parameters(of: write.origins, in: function)
          if late.contains(number) { write.isLate = true }
          if !write.isGuarded { write.isGuarded = isGuarded(write.place, at: number, in: function, flow) }
          if !write.isWanted { write.isWanted = isWanted(number, write.origins, in: function, flow) }
          effects.writes.append(write)
        }
        if inner.checksCancellation { effects.checksCancellation = true }
      case .hop, .branch, .executorCheck, .retain: break
      }
      if effects.reads.count + effects.writes.count > 400 { break }
    }
    known[index] = effects
    return effects
  }

  /// The events that some way from the function's start reaches through a suspension.
  private func lateEvents(of function: FunctionFacts, _ flow: ControlFlow) -> Set<Int> {
    guard function.isAsync else { return [] }
    var late: Set<Int> = []
    flow.walkFromEntry(state: false) { event, isLate in
      if isLate { late.insert(event) }
      if function.suspends(event) { isLate = true }
      return .goOn
    }
    return late
  }

  /// What a call does, in the terms of the function that makes it: its callee, and closures that it runs at once.
  func effects(of call: Call, in function: FunctionFacts) -> Effects {
    var result = Effects()
    if case .unknown = call.callee, call.display.hasSuffix(".getter"), let root = call.receiverRoot {
      let member = String(call.display.dropLast(".getter".count))
      result.reads.append(
        ReadEffect(place: Place(root: root, member: member), location: function.location))
      return result
    }
    let targets = program.targets(of: call)
    // What is changed is the property, and not what its wrapper keeps it in.
    let property = SILValueFlow.accessorMember(call.display)
    let isWrapped =
      property != nil
      && targets.contains { target in
        SILValueFlow.accessorMember(program.functions[target].display)?.hasSuffix(".wrappedValue") == true
          && property?.hasSuffix(".wrappedValue") == false
      }
    if targets.count <= 6, !isWrapped {
      for target in targets {
        for inner in program.unwrapped(target) {
          add(of(inner), of: program.functions[inner], arguments: call.arguments, to: &result)
        }
      }
    }
    for argument in call.arguments {
      for closure in argument.closure where !closure.escapes {
        guard let target = program.function(named: closure.function), !program.functions[target].isAsync else {
          continue
        }
        let body = program.functions[target]
        let padding = Array(repeating: Argument(), count: max(0, body.parameters.count - closure.captures.count))
        add(of(target), of: body, arguments: padding + closure.captures, to: &result)
      }
    }
    return result
  }

  private func add(_ effects: Effects, of callee: FunctionFacts, arguments: [Argument], to result: inout Effects) {
    let names = callee.parameters.enumerated().map { $1.name.isEmpty ? "$\($0)" : $1.name }
    func translate(_ place: Place) -> Place {
      if place.root == "global" { return place }
      let head = place.root.prefix { $0 != "." }
      guard let index = names.firstIndex(of: String(head)), index < arguments.count, let root = arguments[index].root
      else { return Place(root: "?", member: place.member) }
      return Place(root: root + place.root.dropFirst(head.count), member: place.member)
    }
    for read in effects.reads {
      let place = translate(read.place)
      if place.root != "?" { result.reads.append(ReadEffect(place: place, location: read.location)) }
    }
    for write in effects.writes {
      let place = translate(write.place)
      if place.root == "?" { continue }
      var origins = Origins()
      for index in write.origins.members.compactMap(Origins.parameter) where index < arguments.count {
        origins.formUnion(arguments[index].origins)
      }
      var translated = write
      translated.place = place
      translated.origins = origins
      if InnerFunction(callee.display) == .deferred { translated.isDeferred = true }
      if write.literal == nil, let index = write.origins.soleParameter, index < arguments.count {
        translated.literal = arguments[index].literal
      }
      result.writes.append(translated)
    }
    if effects.checksCancellation { result.checksCancellation = true }
  }

  // MARK: Origins

  /// Origins with those of the arguments of synchronous calls among them; awaited calls are kept and not entered.
  func expanded(_ origins: Origins, in function: FunctionFacts) -> Set<Int32> {
    var seen: Set<Int32> = []
    var work = origins.members
    while let member = work.popLast() {
      guard seen.insert(member).inserted, member >= 0, Int(member) < function.events.count else { continue }
      if let call = function.call(at: Int(member)), !call.suspends {
        for argument in call.arguments { work += argument.origins.members }
      }
    }
    return seen
  }

  private func parameters(of origins: Origins, in function: FunctionFacts) -> Origins {
    Origins(members: expanded(origins, in: function).filter { $0 < 0 }.sorted())
  }

  /// The state that a value depends on, each with the event that read it.
  func places(of origins: Origins, in function: FunctionFacts) -> [(place: Place, event: Int)] {
    var result: [(Place, Int)] = []
    for member in expanded(origins, in: function).sorted() where member >= 0 && Int(member) < function.events.count {
      let event = Int(member)
      switch function.events[event].kind {
      case .read(let place): result.append((place, event))
      case .call(let call) where !call.suspends:
        // What is lent to be changed is looked at as it is then: `orders[id]?.state = .sent`.
        if let member = SILValueFlow.accessorMember(call.display), call.display.contains(".modify"),
          member.contains("."),
          !call.display.contains(".subscript."), let root = call.receiverRoot
        {
          result.append((Place(root: root, member: member), event))
        }
        // A stored property's getter says nothing that the read beside it does not say more exactly.
        let own = SILValueFlow.accessorMember(call.display)
        for read in effects(of: call, in: function).reads where read.place.member != own {
          result.append((read.place, event))
        }
      default: break
      }
    }
    return result
  }

  /// Whether something is taken out by its key, and what was there decides what comes next: nothing is taken twice.
  private func isTaken(_ write: Write, in function: FunctionFacts) -> Bool {
    guard write.isPartial else { return false }
    return write.origins.members.contains { member in
      guard member >= 0, let call = function.call(at: Int(member)),
        CalleePattern.normalised(call.display).contains(".removeValue(forKey:")
      else { return false }
      return function.events.contains { event in
        if case .branch(let origins) = event.kind { return origins.members.contains(member) }
        return false
      }
    }
  }

  private func isDerived(_ write: Write, in function: FunctionFacts) -> Bool {
    write.origins.members.contains { member in
      guard member >= 0, case .read = function.events[Int(member)].kind else { return false }
      return true
    }
  }

  /// Whether a synchronous function compares what it is given with state before an event: a token, which is not the value
  /// that it writes, with the newest one.
  private func isWanted(_ event: Int, _ written: Origins, in function: FunctionFacts, _ flow: ControlFlow) -> Bool {
    guard !function.isAsync, function.blocks.count < 200 else { return false }
    return function.events.indices.contains { number in
      guard let origins = function.branch(at: number), flow.controls(branch: number, event: event) else { return false }
      let sources = expanded(origins, in: function)
      if sources.contains(where: { $0 >= 0 && function.call(at: Int($0)).map { Cancellation.isCheck($0) } == true }) {
        return true
      }
      let made = expanded(written, in: function)
      return sources.contains { source in
        !made.contains(source) && function.parameter(of: source).map { $0.name != "self" && !$0.isCapture } ?? false
      } && !places(of: origins, in: function).isEmpty
    }
  }

  private func isGuarded(_ place: Place, at event: Int, in function: FunctionFacts, _ flow: ControlFlow) -> Bool {
    // Generated tables have thousands of branches, and no rule to protect.
    guard function.blocks.count < 2_000 else { return false }
    for number in function.events.indices {
      guard let origins = function.branch(at: number), flow.controls(branch: number, event: event) else { continue }
      let reads = places(of: origins, in: function)
      if reads.contains(where: { $0.place.overlaps(place) && flow.suspension(from: number, to: event) == nil }) {
        return true
      }
    }
    return false
  }
}

/// How code asks whether its work is still wanted.
enum Cancellation {
  static func isCheck(_ call: Call) -> Bool {
    call.display.contains("checkCancellation(") || call.display.contains("isCancelled")
  }
}
