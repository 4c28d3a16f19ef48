/// What a function tests and changes of the state that MS201 is about: its actor's own, and that of objects it holds.

struct CheckThenActState {
  /// What each branch tests, each with the event that read it.
  private(set) var checks: [Int: [(place: Place, event: Int)]] = [:]
  /// What each event writes, helpers included.
  private(set) var writes: [Int: [WriteEffect]] = [:]
  /// Events that set a member which was tested before: it keeps others out for as long as it is set.
  private(set) var latches: Set<Int> = []
  private let function: FunctionFacts
  private let program: Program

  init(_ function: FunctionFacts, _ program: Program) {
    self.function = function
    self.program = program
    for number in function.events.indices {
      switch function.events[number].kind {
      case .branch(let origins):
        let places = distinct(program.effects.places(of: origins, in: function) + asked(by: origins))
        if !places.isEmpty { checks[number] = places }
      case .write(let write) where isShared(write.place):
        writes[number] = [
          WriteEffect(
            place: write.place, origins: write.origins, literal: write.literal, isPartial: write.isPartial,
            isGuarded: isOwnStep(write), location: function.events[number].location, isDeferred: false,
            isNewEntry: NewEntries.isOne(write, in: function, program.effects))
        ]
      case .call(let call) where call.executor == .own && !call.isAsync || isOwn(call):
        let effects = program.effects.effects(of: call, in: function).writes.filter { isShared($0.place) }
        if !effects.isEmpty { writes[number] = effects }
      default: break
      }
    }
    latches = latchingEvents()
  }

  /// The shared places among them. A call that looks at very much says little about any one of them.
  private func distinct(_ places: [(place: Place, event: Int)]) -> [(place: Place, event: Int)] {
    var byEvent: [Int: Set<Place>] = [:]
    for (place, event) in places where isShared(place) { byEvent[event, default: []].insert(place) }
    return byEvent.sorted { $0.key < $1.key }.filter { $0.value.count <= 16 }.flatMap { event, places in
      places.sorted { ($0.root, $0.member) < ($1.root, $1.member) }.map { ($0, event) }
    }
  }

  /// Whether a value changed itself, by its own first test, and its answer is looked at: a state machine that makes a step
  /// only from where it is allowed.
  private func isOwnStep(_ write: Write) -> Bool {
    guard write.isPartial, write.origins.members.count == 1, let member = write.origins.members.first, member >= 0,
      let call = function.call(at: Int(member)), !call.suspends, let receiver = call.receiver
    else { return false }
    let targets = program.targets(of: call)
    return !targets.isEmpty && targets.allSatisfy { asksItself(program.functions[$0], receiver) }
      && function.events.indices.contains { function.branch(at: $0)?.contains(event: Int(member)) == true }
  }

  /// Whether the first thing that a function does is to decide by the value that it is called on.
  private func asksItself(_ callee: FunctionFacts, _ receiver: Int) -> Bool {
    guard let entry = callee.blocks.first else { return false }
    return entry.events.contains { event in
      callee.branch(at: event)?.members.contains { member in
        if member < 0 { return Origins.parameter(of: member) == receiver }
        if case .read(let place) = callee.events[Int(member)].kind { return place.root == "self" }
        return false
      } == true
    }
  }

  /// Whether an async callee runs on the same actor: what it does to the state is done here.
  private func isOwn(_ call: Call) -> Bool {
    guard call.isAsync, call.executor == .own else { return false }
    let targets = program.targets(of: call).flatMap { program.unwrapped($0) }
    return !targets.isEmpty
      && targets.allSatisfy { target in
        let isolation = program.functions[target].isolation
        if isolation == .selfActor { return function.isolation == .selfActor && call.receiverRoot == "self" }
        return isolation == function.isolation || isolation == .caller
      }
  }

  /// What an async function of the same actor read to give the answer that is tested.
  private func asked(by origins: Origins) -> [(place: Place, event: Int)] {
    program.effects.expanded(origins, in: function).sorted().flatMap { member -> [(place: Place, event: Int)] in
      guard member >= 0, let call = function.call(at: Int(member)), isOwn(call) else { return [] }
      return program.effects.effects(of: call, in: function).reads.map { ($0.place, Int(member)) }
    }
  }

  /// State of the actor itself, or of objects that it holds: not of values on the stack.
  func isShared(_ place: Place) -> Bool {
    if case .parameter(let name) = function.isolation, place.root == name || place.root.hasPrefix(name + ".") {
      return true
    }
    return place.root == "self" || place.root.hasPrefix("self.") || place.root == "global"
      || place.root.hasSuffix(".shared")
      || place.root.contains(".shared.")
  }

  private func latchingEvents() -> Set<Int> {
    var first: [Place: Int] = [:]
    for (branch, places) in checks {
      for (place, _) in places { first[place] = min(first[place] ?? branch, branch) }
    }
    return Set(
      writes.filter { event, effects in
        first.contains { place, branch in branch < event && effects.contains { $0.place.overlaps(place) } }
      }.keys)
  }
}
