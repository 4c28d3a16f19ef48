/// Questions about types and the actors they live on.
import MainstayFindings

extension Program {
  /// The types whose functions run on a global actor, by name, in order.
  ///
  /// - Parameter module: the module that declares the actor; another one may declare its namesake.
  func types(isolatedTo actor: String, of module: String? = nil) -> [String] {
    let modules = module.map { home in
      Set(declarations.sources.filter { $0.module == home || $0.imports.contains(home) }.map(\.module))
    }
    var found: Set<String> = []
    for function in functions where function.isolation == .globalActor(actor) && isOwn(function) {
      guard modules?.contains(function.module) ?? true else { continue }
      guard let type = Program.enclosingType(function.display), type != actor,
        declarations.type(type, in: function.module)?.primary != nil
      else { continue }
      found.insert(type)
    }
    for type in declarations.declared where modules?.contains(type.module) ?? true {
      if let primary = type.primary, primary.attributes.contains(actor) { found.insert(primary.name) }
    }
    return found.sorted()
  }

  /// The words that a type's members and functions mention: types they hold, and types whose functions they call.
  func mentions(ofType name: String) -> Set<String> {
    var words: Set<String> = []
    for source in declarations.sources {
      for type in source.types where type.name == name {
        for member in type.members {
          for word in member.type.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
            words.insert(String(word))
          }
        }
      }
    }
    for function in functions where Program.enclosingType(function.display) == name {
      for event in function.events {
        guard case .call(let call) = event.kind else { continue }
        let callee = CalleePattern.normalised(call.display).prefix { $0 != "(" }
        for part in callee.split(separator: ".").dropLast() { words.insert(String(part)) }
      }
    }
    return words
  }

  func isWitness(_ index: Int) -> Bool { witnessTargets.contains(index) }
}
