/// Which properties views give to controls, and which of those a flag keeps a person from meanwhile.
import MainstayFindings

struct BoundState {
  private let program: Program
  private let byName: [String: [(bound: BoundMember, module: String)]]

  init(_ program: Program) {
    self.program = program
    var byName: [String: [(BoundMember, String)]] = [:]
    for source in program.declarations.sources {
      for bound in source.bound {
        byName[BoundState.name(bound.path), default: []].append((bound, source.module))
      }
    }
    self.byName = byName
  }

  /// Whether a control or another view may change a member: it has it, or one of that name of which nothing tells whose
  /// it is.
  func isBound(_ member: String) -> Bool { !uses(of: member).isEmpty }

  private func uses(of member: String) -> [(bound: BoundMember, module: String, isKnown: Bool)] {
    (byName[BoundState.name(member)] ?? []).compactMap { bound, module in
      guard let known = resolved(bound.path, in: bound.type, module) else { return (bound, module, false) }
      return known == BoundState.plain(member) ? (bound, module, true) : nil
    }
  }

  /// Whether every control that has the member is locked for as long as a flag is set.
  func isLocked(_ member: String, by flag: String, in module: String) -> Bool {
    let uses = uses(of: member)
    return !uses.isEmpty
      && uses.allSatisfy { use in
        guard use.isKnown else { return false }
        if isOnlyRead(use.bound, use.module) { return true }
        return use.bound.locks.contains { resolved($0, in: use.bound.type, use.module) == BoundState.plain(flag) }
      }
  }

  /// Whether the view that has the binding never sets it: its own member of that name is only read.
  private func isOnlyRead(_ bound: BoundMember, _ module: String) -> Bool {
    let parts = bound.given.split(separator: ".").map(String.init)
    guard parts.count == 2, parts[1] != "_",
      let member = program.declarations.type(parts[0], in: module)?.stored(parts[1]),
      member.attributes.contains("Binding"),
      !program.declarations.sources.contains(where: { source in
        source.bound.contains { $0.type == parts[0] && BoundState.name($0.path) == parts[1] }
      })
    else { return false }
    return program.writers(ofMember: "\(parts[0]).\(parts[1])", in: module).isEmpty
      && program.writers(ofMember: "\(parts[0])._\(parts[1])", in: module).isEmpty
  }

  /// `ListModel.title` for `model.title` in a view whose `model` is a `ListModel`.
  private func resolved(_ path: String, in type: String, _ module: String) -> String? {
    var owner = type
    var parts = path.split(separator: ".").map(String.init)
    while parts.count > 1 {
      guard let held = program.declarations.type(owner, in: module)?.stored(parts.removeFirst()), !held.type.isEmpty
      else { return nil }
      owner = SyntaxModuleIndex.bare(held.type)
    }
    return parts.first.map { "\(owner).\($0)" }
  }

  private static func name(_ path: String) -> String {
    let last = path.split(separator: ".").last ?? ""
    return String(last.hasPrefix("_") ? last.dropFirst() : last)
  }

  /// A member without the mark of what a property wrapper keeps: `Form.title` for `Form._title`.
  private static func plain(_ member: String) -> String {
    let parts = member.split(separator: ".")
    return parts.dropLast().joined(separator: ".") + "." + name(member)
  }
}

extension Program {
  /// The functions that change a member or a part of it, those that call its setter in place of the setter itself.
  func writers(ofMember member: String, in module: String) -> [Int] {
    accessors(ofMember: member, in: module).flatMap { index -> [Int] in
      let accessor = functions[index]
      if accessor.flags.contains(.isInitializer) || accessor.flags.contains(.isImplicit) { return [] }
      // What a wrapper is made with.
      if accessor.display.contains("initializer of ") || accessor.display.contains("initialization expression of ") {
        return []
      }
      if SILValueFlow.accessorMember(accessor.display) == member {
        if accessor.display.hasSuffix(".getter") || accessor.display.hasSuffix(".read") { return [] }
        return (callers[index] ?? []).map(\.function).filter {
          isOwn(functions[$0]) && !functions[$0].flags.contains(.isInitializer)
        }
      }
      let writes = accessor.events.contains { event in
        guard case .write(let write) = event.kind else { return false }
        return write.place.member == member || write.place.member.hasPrefix(member + ".")
      }
      return writes ? [index] : []
    }
  }
}
