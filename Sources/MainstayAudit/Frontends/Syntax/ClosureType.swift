/// What a function type says of the closures that are given for it: where they run, and whether they outlive the call.

struct ClosureType {
  var escapes: Bool
  var isSendable: Bool
  var isAsync: Bool
  /// An expression is written in the closure's place.
  var isAutoclosure: Bool
  /// The global actor that the type names.
  var actor: String?

  /// Nil when the type is no function's, as far as its text says: a name may stand for one.
  init?(_ text: String, globalActors: Set<String>) {
    guard text.contains("->") else { return nil }
    let isOptional = text.hasSuffix("?") || text.hasSuffix("...") || text.hasSuffix("]")
    escapes = text.contains("@escaping") || isOptional || text.contains("@autoclosure @escaping")
    let inherits = text.contains("@_inheritActorContext") || text.contains("nonisolated(nonsending)")
    isSendable =
      (text.contains("@Sendable") || text.contains("@concurrent") || text.hasPrefix("sending ")) && !inherits
    isAsync = text.contains(" async")
    isAutoclosure = text.contains("@autoclosure")
    actor = globalActors.first { text.contains("@\($0) ") || text.contains("@\($0)(") }
  }

  /// What a stored member's type says: whatever is kept there outlives the call that put it there.
  init?(stored text: String, globalActors: Set<String>) {
    self.init(text, globalActors: globalActors)
    escapes = true
  }
}
