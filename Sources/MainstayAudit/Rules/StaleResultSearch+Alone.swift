/// When MS203 keeps silent because nothing newer can be overwritten: one question and one writer, or a locked control.
import MainstayFindings

extension StaleResultSearch {
  /// Whether what is asked for cannot differ, and nobody but this code sets what the answer is put into: no control that
  /// has it, and no other function.
  func isOneQuestion(_ awaited: Int, _ place: Place) -> Bool {
    guard let call = function.call(at: awaited), !program.bound.isBound(place.member), isOnlyWriter(place.member),
      !tasks.starts(of: index).contains(where: { begins($0, with: ["onChange", "onReceive"]) })
    else { return false }
    for (position, argument) in call.arguments.enumerated() where position != call.receiver {
      let sources = program.effects.expanded(argument.origins, in: function)
      if !argument.closure.isEmpty || !sources.allSatisfy({ isFixed($0) }) { return false }
    }
    guard let receiver = call.receiver, call.arguments.indices.contains(receiver) else { return true }
    let asked = call.arguments[receiver]
    return key(of: asked.origins) == nil && !isOfEnvironment(asked.root)
  }

  /// Whether a source of an argument is made of nothing that this object or its caller has.
  private func isFixed(_ source: Int32) -> Bool {
    guard source >= 0 else { return false }
    switch function.events[Int(source)].kind {
    case .read(let place): return !isState(place)
    case .call(let call): return !call.suspends
    default: return true
    }
  }

  /// Whether a view gets an object from the views around it, which may give another one.
  private func isOfEnvironment(_ root: String?) -> Bool {
    guard let root, let type = Program.enclosingType(function.display) else { return false }
    let parts = root.split(separator: ".")
    let name = parts.first == "self" ? parts.dropFirst().first : parts.first
    guard let name, let member = program.declarations.type(type, in: function.module)?.stored(name) else {
      return false
    }
    return member.attributes.contains("Environment")
  }

  private func isOnlyWriter(_ member: String) -> Bool {
    var parts = member.split(separator: ".")
    // Whoever sets the whole sets its parts.
    while parts.count > 1 {
      let isOther = program.writers(ofMember: parts.joined(separator: "."), in: function.module).contains { writer in
        writer != index && !program.functions[writer].display.hasSuffix(" in " + function.display)
      }
      if isOther { return false }
      parts.removeLast()
    }
    return true
  }

  /// Whether a flag that stands while the request runs keeps a person from everything that it asks with and sets: an
  /// answer finds what it was asked for.
  func isLocked(_ place: Place, during awaited: Int) -> Bool {
    guard isOnlyWriter(place.member) else { return false }
    let isBound = program.bound.isBound(place.member)
    return flags(during: awaited).contains { flag in
      guard let asked = askedWith(awaited), asked.allSatisfy({ isFixed($0, by: flag) }) else { return false }
      if isBound { return program.bound.isLocked(place.member, by: flag, in: function.module) }
      return asked.contains { program.bound.isLocked($0, by: flag, in: function.module) }
    }
  }

  private func isFixed(_ member: String, by flag: String) -> Bool {
    isOnlyWriter(member)
      && (!program.bound.isBound(member) || program.bound.isLocked(member, by: flag, in: function.module))
  }

  /// Members that say from before the await until after it that work is under way.
  private func flags(during awaited: Int) -> [String] {
    var set: [String] = []
    for event in function.events.indices {
      guard let write = function.write(at: event), isState(write.place), !write.isPartial else { continue }
      let isBusy = StaleResultSearch.isBusy(write.literal, write.place.member)
      if event < awaited, isBusy { set.append(write.place.member) }
      if event > awaited, !isBusy, isBusyFromTheStart(write.place.member), startsOnce { set.append(write.place.member) }
    }
    return set.filter { member in
      function.events.indices.contains { event in
        guard event > awaited, let write = function.write(at: event), write.place.member == member else { return false }
        return !StaleResultSearch.isBusy(write.literal, member)
      }
    }
  }

  private static func isBusy(_ literal: String?, _ member: String) -> Bool {
    guard let literal else { return false }
    return literal == "true" || literal.hasPrefix(".") && BusyFlags.isOne(literal)
  }

  private func isBusyFromTheStart(_ member: String) -> Bool {
    let parts = member.split(separator: ".").map(String.init)
    guard parts.count == 2 else { return false }
    let name = parts[1].hasPrefix("_") ? parts[1].dropFirst() : parts[1][...]
    let initial = program.declarations.type(parts[0], in: function.module)?.stored(name)?.initial
    return StaleResultSearch.isBusy(initial, member) && (initial != "true" || BusyFlags.isOne(member))
  }

  /// Whether one place starts the task, and that place belongs to a view's appearance.
  private var startsOnce: Bool {
    let starts = tasks.starts(of: index)
    guard starts.count == 1, let creators = program.creators[starts[0].function], creators.count == 1,
      let call = program.functions[creators[0].function].call(at: creators[0].event)
    else { return false }
    let name = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    return name.hasSuffix("onAppear") || name.hasSuffix("onFirstAppear")
  }

  /// The state that a request is made from; nil when it is also made from what a caller passes or from another answer.
  private func askedWith(_ awaited: Int) -> [String]? {
    guard let call = function.call(at: awaited) else { return nil }
    var members: [String] = []
    for (position, argument) in call.arguments.enumerated() where position != call.receiver {
      if !argument.closure.isEmpty { return nil }
      for source in program.effects.expanded(argument.origins, in: function).sorted() {
        if source < 0 {
          if function.parameter(of: source)?.name != "self", !isFlag(source) { return nil }
        } else if function.suspends(Int(source)) {
          return nil
        } else if case .read(let place) = function.events[Int(source)].kind, isState(place),
          program.isChangeable(place.member, in: function.module)
        {
          members.append(place.member)
        }
      }
    }
    return members
  }
}
