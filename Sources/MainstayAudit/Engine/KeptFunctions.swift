/// Which functions a stored member may hold: closures put there, and those that callers pass to be put there.
import MainstayFindings

struct KeptFunctions {
  private(set) var byMember: [String: [Int]] = [:]

  private struct Slot: Hashable {
    var function: Int
    var parameter: Int
  }

  /// What a call hands to a function with a body here: closures, or a parameter of the caller's own.
  private struct Passing {
    var slot: Slot
    var closures: [Int]
    var own: Slot?
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
    let passings = members.isEmpty ? [] : KeptFunctions.passings(functions, index: index, targets: targets)
    // Initialisers call initialisers: what one passes on, its own callers pass.
    var changed = true
    var rounds = 0
    while changed, rounds < 6 {
      changed = false
      rounds += 1
      for passing in passings {
        guard let reached = members[passing.slot] else { continue }
        for closure in passing.closures { for member in reached { known[member, default: []].insert(closure) } }
        guard let own = passing.own, !reached.isSubset(of: members[own] ?? []) else { continue }
        members[own, default: []].formUnion(reached)
        changed = true
      }
    }
    byMember = known.mapValues { $0.sorted() }
  }

  private static func passings(
    _ functions: [FunctionFacts], index: [String: Int], targets: (Call) -> [Int]
  ) -> [Passing] {
    var passings: [Passing] = []
    for (position, function) in functions.enumerated() {
      for event in function.events {
        guard case .call(let call) = event.kind else { continue }
        var reached: [Int]?
        for (parameter, argument) in call.arguments.enumerated() {
          let closures = argument.closure.compactMap { index[$0.function] }
          let own = argument.origins.soleParameter.map { Slot(function: position, parameter: $0) }
          if closures.isEmpty, own == nil { continue }
          let functions = reached ?? targets(call)
          reached = functions
          passings += functions.map {
            Passing(slot: Slot(function: $0, parameter: parameter), closures: closures, own: own)
          }
        }
      }
    }
    return passings
  }
}
