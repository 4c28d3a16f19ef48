/// Entries that a table gets under a key which was made just now: nobody can have asked for them before.

enum NewEntries {
  /// How both frontends spell an assignment to an element: the value, the key, the table.
  static let setter = "Dictionary.subscript.setter"

  /// Whether a write puts something under a key that this function has made: `sessions[UUID()] = session`.
  static func isOne(_ write: Write, in function: FunctionFacts, _ effects: EffectSummaries) -> Bool {
    guard write.isPartial else { return false }
    return write.origins.members.contains { member in
      guard member >= 0, let call = function.call(at: Int(member)), call.display == setter, call.arguments.count > 1
      else { return false }
      return effects.expanded(call.arguments[1].origins, in: function).contains { made in
        made >= 0 && function.call(at: Int(made))?.display == "UUID.init()"
      }
    }
  }

  /// Whether a write gives an entry of a table its value: `balances[id] = rest`.
  static func isEntry(_ write: Write, in function: FunctionFacts) -> Bool {
    write.isPartial
      && write.origins.members.contains { $0 >= 0 && function.call(at: Int($0))?.display == setter }
  }

  /// Whether a decision depends on how much a table holds, which a new entry changes, and not on one entry of it.
  static func isAboutSize(_ decision: Origins, read: Int, in function: FunctionFacts, _ effects: EffectSummaries)
    -> Bool
  {
    guard case .read = function.events[read].kind else { return true }
    return effects.expanded(decision, in: function).contains { member in
      guard member >= 0, let call = function.call(at: Int(member)) else { return false }
      return (call.display.hasSuffix(".count.getter") || call.display.hasSuffix(".isEmpty.getter"))
        && call.arguments.contains { $0.origins.contains(event: read) }
    }
  }
}
