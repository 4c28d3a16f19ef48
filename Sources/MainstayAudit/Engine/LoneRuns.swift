/// Code of which one run at a time goes on: it belongs to a task that a busy flag lets start once, to one that an
/// initialiser starts, or to a view's `.task`.
import MainstayFindings

struct LoneRuns {
  enum Keeper: Hashable {
    /// The task's starter tests and sets a flag before it starts the task.
    case flag
    /// An initialiser starts it, once for each object.
    case initialiser
    /// A view starts it when it appears, and cancels it when it goes.
    case view
  }

  private let program: Program
  /// The task's body that a function is a part of.
  private var bodies: [Int: Int] = [:]
  private var keepers: [Int: Keeper] = [:]

  init(_ program: Program) {
    self.program = program
    for (body, creators) in program.creators where program.functions[body].isAsync {
      let kinds = Set(creators.map { keeper(of: $0.function, $0.event) })
      if kinds.count == 1, let kind = kinds.first ?? nil {
        keepers[body] = kind
        bodies[body] = body
      }
    }
    spread()
  }

  /// What lets one run at a time into a function: nil when nothing is known to.
  func keeper(of function: Int) -> Keeper? { bodies[function].flatMap { keepers[$0] } }

  /// Whether a function belongs to the view itself that starts it, and not to a model that other views may have, too.
  func isInView(_ function: Int) -> Bool {
    guard let body = bodies[function] else { return false }
    return Program.enclosingType(program.functions[function].display)
      == Program.enclosingType(program.functions[body].display)
  }

  /// Whether nothing but the runs of one task changes a member, once there is the object that has it.
  func alone(_ function: Int, writes member: String) -> Bool {
    guard let body = bodies[function] else { return false }
    return program.accessors(ofMember: member, in: program.functions[function].module).allSatisfy { index in
      if isInTask(index, body) { return true }
      let accessor = program.functions[index]
      // The member's own setter is whoever's that calls it.
      if SILValueFlow.accessorMember(accessor.display) == member {
        return (program.callers[index] ?? []).allSatisfy { isInTask($0.function, body) }
      }
      return !accessor.events.contains { event in
        guard case .write(let write) = event.kind else { return false }
        return write.place.member == member || write.place.member.hasPrefix(member + ".")
      }
    }
  }

  /// Whether the code of a function, and of the closures in it, looks at nothing that another run may find changed, but
  /// for one member: what it comes to then owes nothing to the run before.
  func looksAtNothing(_ function: Int, but member: String) -> Bool {
    let facts = program.functions[function]
    // What callers pass, or what the place of a closure gives, may differ.
    if facts.parameters.contains(where: { !$0.isCapture && $0.name != "self" && !$0.name.isEmpty }), !facts.isClosure {
      return false
    }
    func isFixed(_ place: Place) -> Bool {
      place.member == member || place.member.hasPrefix(member + ".")
        || !program.isChangeable(place.member, in: facts.module)
    }
    let reads = facts.events.allSatisfy { event in
      switch event.kind {
      case .read(let place): return isFixed(place)
      case .call(let call): return program.effects.effects(of: call, in: facts).reads.allSatisfy { isFixed($0.place) }
      default: return true
      }
    }
    return reads && program.closures(in: function).allSatisfy { looksAtNothing($0, but: member) }
  }

  private func isInTask(_ index: Int, _ body: Int) -> Bool {
    let flags = program.functions[index].flags
    return bodies[index] == body || flags.contains(.isInitializer) || flags.contains(.isImplicit)
  }

  private func keeper(of starter: Int, _ event: Int) -> Keeper? {
    let function = program.functions[starter]
    guard let call = function.call(at: event) else { return nil }
    if Spawn(call) != nil {
      let flow = ControlFlow(function)
      if function.flags.contains(.isInitializer), !flow.loopBlocks.contains(flow.block(of: event)) {
        return .initialiser
      }
      return program.latches(function, flow, before: event) ? .flag : nil
    }
    let name = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    if name.hasSuffix(".task") { return .view }
    // What the modifiers before it make has no name of its own.
    let isView = Program.enclosingType(function.display).map { program.layout.isView($0, in: function.module) } ?? false
    return name == "task" && isView ? .view : nil
  }

  /// What nobody but a task's code calls is a part of the task.
  private mutating func spread() {
    var work = Array(bodies.keys.sorted())
    while let next = work.popLast() {
      guard let body = bodies[next] else { continue }
      for event in program.functions[next].events {
        guard case .call(let call) = event.kind else { continue }
        let closures = call.arguments.flatMap(\.closure).compactMap { program.function(named: $0.function) }
        for target in program.targets(of: call).flatMap({ program.unwrapped($0) }) + closures
        where bodies[target] == nil && belongs(target, to: body) {
          bodies[target] = body
          work.append(target)
        }
      }
    }
  }

  private func belongs(_ target: Int, to body: Int) -> Bool {
    if program.isWitness(target) { return false }
    let users = (program.callers[target] ?? []) + (program.creators[target] ?? [])
    return users.allSatisfy { user in
      guard bodies[user.function] == body else { return false }
      guard let call = program.functions[user.function].call(at: user.event) else { return true }
      return Spawn(call) == nil
    }
  }
}
