/// Which functions a stored member may hold: closures put there, and those that callers pass to be put there.
import MainstayFindings

struct KeptFunctions {
  private(set) var byMember: [String: [Int]] = [:]

  private struct Slot: Hashable {
    var function: Int
    var parameter: Int
  }

  /// - Parameter targets: the functions with a body here that a call may run.
  init(_ functions: [FunctionFacts], index: [String: Int], _ namesakes: Namesakes, targets: (Call) -> [Int]) {
    var members: [Slot: Set<String>] = [:]
    var known: [String: Set<Int>] = [:]
    for (position, function) in functions.enumerated() {
      for kept in function.keptClosures {
        let keys = namesakes.keys(kept.member, in: function.module)
        switch kept.origin {
        case .closure(let name):
          if let target = index[name] { for key in keys { known[key, default: []].insert(target) } }
        case .parameter(let parameter):
          members[Slot(function: position, parameter: parameter), default: []].formUnion(keys)
        }
      }
    }
    // Initialisers call initialisers: what one passes on, its own callers pass.
    var changed = !members.isEmpty
    var rounds = 0
    while changed, rounds < 6 {
      changed = false
      rounds += 1
      for (position, function) in functions.enumerated() {
        for event in function.events {
          guard case .call(let call) = event.kind else { continue }
          for target in targets(call) {
            for (parameter, argument) in call.arguments.enumerated() {
              guard let reached = members[Slot(function: target, parameter: parameter)] else { continue }
              for closure in argument.closure {
                guard let function = index[closure.function] else { continue }
                for member in reached { known[member, default: []].insert(function) }
              }
              guard let parameter = argument.origins.soleParameter else { continue }
              let slot = Slot(function: position, parameter: parameter)
              if !reached.isSubset(of: members[slot] ?? []) {
                members[slot, default: []].formUnion(reached)
                changed = true
              }
            }
          }
        }
      }
    }
    byMember = known.mapValues { $0.sorted() }
  }
}
