/// Units of work: closures that happen wholly or not at all, and the code that runs inside one.
import MainstayFindings

final class UnitsOfWork {
  private let program: Program
  /// Functions and closures that run inside a unit of work, with the call that began it.
  private var inside: [Int: (function: Int, event: Int)] = [:]

  init(_ program: Program) {
    self.program = program
    var work: [Int] = []
    for (index, creators) in program.creators {
      for creator in creators {
        guard let call = program.functions[creator.function].call(at: creator.event), isUnit(call) else { continue }
        inside[index] = creator
        work.append(index)
        break
      }
    }
    while let index = work.popLast() {
      let start = inside[index]
      for event in program.functions[index].events {
        guard case .call(let call) = event.kind, !call.suspends else { continue }
        var next = program.targets(of: call).flatMap { program.unwrapped($0) }.filter { !program.functions[$0].isAsync }
        for closure in call.arguments.flatMap(\.closure) where !closure.escapes {
          if let target = program.function(named: closure.function) { next.append(target) }
        }
        for target in next where inside[target] == nil {
          inside[target] = start
          work.append(target)
        }
      }
    }
  }

  /// The call that began the unit of work which a function runs in, or nil.
  func start(around function: Int) -> (function: Int, event: Int)? { inside[function] }

  private static let names: Set<String> = [
    "transaction", "intransaction", "withtransaction", "unitofwork", "performunitofwork", "savepoint", "insavepoint",
    "atomically", "performtransaction", "runtransaction", "writetransaction", "performasonetransaction",
  ]
  private static let known: Set<String> = [
    "Journal.perform", "DatabaseQueue.write", "DatabasePool.write", "DatabaseWriter.write", "Realm.write",
    "ModelContext.transaction",
  ]

  func isUnit(_ call: Call) -> Bool {
    let base = String(CalleePattern.normalised(call.display).prefix { $0 != "(" })
    if UnitsOfWork.known.contains(base) { return true }
    let name = base.split(separator: ".").last.map { $0.lowercased() } ?? ""
    // A free function of that name sets up an animation.
    if UnitsOfWork.names.contains(name), base.contains(".") || name != "withtransaction" { return true }
    return program.targets(of: call).contains { takesBack(program.functions[$0]) }
  }

  /// The shape of one: it runs its closure, and takes back what was done when that fails.
  private func takesBack(_ function: FunctionFacts) -> Bool {
    let flow = ControlFlow(function)
    var runs = false
    var reverts = false
    for (number, event) in function.events.enumerated() {
      guard case .call(let call) = event.kind else { continue }
      if case .parameter = call.callee {
        runs = true
        if restores(after: number, flow) { reverts = true }
      }
      if InnerFunction(call.display) == .deferred, program.targets(of: call).contains(where: { isTakingBack($0) }) {
        reverts = true
      }
      // What is restored each time, such as a selection, is no failure's.
      if UnitsOfWork.isReversal(call), isConditional(number, flow) { reverts = true }
    }
    return runs && reverts
  }

  /// Whether a `defer` takes something back, and only sometimes.
  private func isTakingBack(_ index: Int) -> Bool {
    let flow = ControlFlow(program.functions[index])
    return flow.function.events.indices.contains { event in
      flow.function.call(at: event).map { UnitsOfWork.isReversal($0) } == true && isConditional(event, flow)
    }
  }

  /// Whether state gets back what it was before the closure ran, where the closure failed.
  private func restores(after event: Int, _ flow: ControlFlow) -> Bool {
    flow.function.events.indices.contains { number in
      guard let write = flow.function.write(at: number), !write.isPartial, flow.isOnErrorPath(number, of: event) else {
        return false
      }
      return write.origins.members.contains { member in
        guard member >= 0, Int(member) < event, case .read(let place) = flow.function.events[Int(member)].kind else {
          return false
        }
        return place == write.place
      }
    }
  }

  private func isConditional(_ event: Int, _ flow: ControlFlow) -> Bool {
    flow.function.events.indices.contains { other in
      switch flow.function.events[other].kind {
      case .branch: flow.controls(branch: other, event: event)
      case .call(let call): call.isThrowing && flow.isOnErrorPath(event, of: other)
      default: false
      }
    }
  }

  /// Whether a call takes something back.
  static func isReversal(_ call: Call) -> Bool {
    let name = CalleePattern.normalised(call.display).prefix { $0 != "(" }.split(separator: ".").last ?? ""
    let lower = name.lowercased()
    return ["rollback", "undo", "revert", "restore", "compensate"].contains { lower.hasPrefix($0) }
  }
}
