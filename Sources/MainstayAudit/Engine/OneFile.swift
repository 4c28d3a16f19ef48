/// Calls of the file manager that concern one file, by the name that the program itself has given it: no tree of them.

enum OneFile {
  /// Whether what is removed or moved has a name with an extension that the source writes out: `folder.appending(path:
  /// "settings.json")`, here or in the property that it is read from.
  static func isMeant(by call: Call, in function: FunctionFacts, _ program: Program) -> Bool {
    guard call.display.contains("FileManager.removeItem") || call.display.contains("FileManager.moveItem") else {
      return false
    }
    return call.arguments.enumerated().contains { position, argument in
      position != call.receiver && isNamed(argument.origins, in: function, program, depth: 0)
    }
  }

  private static let naming = ["appending(", "appendingPathComponent(", "appendingPathExtension("]

  private static func isNamed(_ origins: Origins, in function: FunctionFacts, _ program: Program, depth: Int) -> Bool {
    program.effects.expanded(origins, in: function).contains { member in
      guard member >= 0, let call = function.call(at: Int(member)) else { return false }
      if names(call) { return true }
      guard depth < 2, call.display.hasSuffix(".getter") else { return false }
      return program.targets(of: call).contains { target in
        let getter = program.functions[target]
        return getter.events.indices.contains { event in getter.call(at: event).map(names) ?? false }
      }
    }
  }

  private static func names(_ call: Call) -> Bool {
    let words = CalleePattern.normalised(call.display)
    guard naming.contains(where: { words.hasPrefix($0) || words.contains("." + $0) }) else { return false }
    return call.arguments.contains { argument in
      guard let literal = argument.literal else { return false }
      return LiteralText.namesFile(literal) || words.contains("appendingPathExtension(") && LiteralText.isText(literal)
    }
  }
}
