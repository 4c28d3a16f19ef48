/// When MS203 keeps silent because the next question cancels what the one before has started.
import MainstayFindings

extension StaleResultSearch {
  /// Whether the function that takes the next question cancels what runs: it sends the question to a subject whose
  /// subscriber starts this code, and calls `cancel()` of its own object.
  var isCancelledByNextQuestion: Bool {
    guard let type = Program.enclosingType(function.display), !function.isClosure else { return false }
    let own = program.functions(ofType: type, in: function.module)
    let subjects = Set(own.flatMap { self.subjects(subscribedIn: $0) })
    return !subjects.isEmpty && own.contains { $0 != index && cancelsOwn($0) && sends($0, to: subjects) }
  }

  /// The members that a function subscribes to with a closure which calls this code.
  private func subjects(subscribedIn index: Int) -> [String] {
    let function = program.functions[index]
    return function.events.flatMap { event -> [String] in
      guard case .call(let call) = event.kind, StaleResultSearch.word(of: call) == "sink", let receiver = call.receiver,
        call.arguments.indices.contains(receiver),
        call.arguments.flatMap(\.closure).contains(where: { closure in
          program.function(named: closure.function).map { calls($0, depth: 0) } ?? false
        })
      else { return [] }
      return program.effects.places(of: call.arguments[receiver].origins, in: function).map(\.place.member)
    }
  }

  /// Whether a closure, or one in it, calls this code: by its name, or by the one that a macro makes of it.
  private func calls(_ closure: Int, depth: Int) -> Bool {
    let name = Program.memberName(function.display)
    let names = name.hasPrefix("_") ? [name, String(name.dropFirst())] : [name]
    let isCalled = program.functions[closure].events.contains { event in
      guard case .call(let call) = event.kind else { return false }
      return names.contains(StaleResultSearch.word(of: call))
    }
    return isCalled || depth < 3 && program.closures(in: closure).contains { calls($0, depth: depth + 1) }
  }

  private func sends(_ index: Int, to subjects: Set<String>) -> Bool {
    let function = program.functions[index]
    return function.events.contains { event in
      switch event.kind {
      case .write(let write):
        return subjects.contains { write.place.member == $0 || write.place.member.hasPrefix($0 + ".") }
      case .call(let call):
        guard StaleResultSearch.word(of: call) == "send", let receiver = call.receiver,
          call.arguments.indices.contains(receiver)
        else { return false }
        return program.effects.places(of: call.arguments[receiver].origins, in: function).contains {
          subjects.contains($0.place.member)
        }
      default: return false
      }
    }
  }

  /// Whether a function calls `cancel()` of its own object: one that is declared here has to cancel something itself.
  private func cancelsOwn(_ index: Int) -> Bool {
    program.functions[index].events.contains { event in
      guard case .call(let call) = event.kind, CalleePattern.normalised(call.display).hasSuffix("cancel()"),
        StaleResultSearch.word(of: call) == "cancel", call.receiverRoot == nil || call.receiverRoot == "self"
      else { return false }
      return program.targets(of: call).allSatisfy { target in
        program.functions[target].events.contains { event in
          guard case .call(let inner) = event.kind else { return false }
          return StaleResultSearch.word(of: inner) == "cancel"
        }
      }
    }
  }

  /// `sink` for `Publisher.sink(receiveValue:)`.
  private static func word(of call: Call) -> String {
    let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    return base.split(separator: ".").last.map(String.init) ?? ""
  }
}
