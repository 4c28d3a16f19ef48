/// MS301: a type promises to be Sendable, and its mutable state is not kept under a lock.
import MainstayFindings

enum UncheckedSendable: Rule {
  static let documentation = RuleDocumentation(
    id: "unchecked_sendable", code: "MS301", severity: .warning,
    claim: "A type that is @unchecked Sendable has mutable stored state which is also touched without a lock.",
    exemptions:
      "All mutable state under one lock, on a global actor, or in locks and atomics, with the invariant stated; a note "
      + "when nothing "
      + "states it, and when another discipline shows: a comment names it (one owner, one queue, one consumer, copies on "
      + "write, no change after a moment), or some of its functions assert their queue, event loop or actor.",
    fires: """
      final class Session: @unchecked Sendable {
        private var token: String?
        func refresh(_ new: String) { token = new }      // any thread, no lock
      }
      """,
    silent: """
      /// `token` is touched with `lock` held only.
      final class Session: @unchecked Sendable {
        private let lock = NSLock()
        private var token: String?
        func refresh(_ new: String) { lock.withLock { token = new } }
      }
      """,
    fix: "Keep the state in a Mutex, or make the type an actor; then @unchecked is not needed.",
    references: ["Swift Evolution SE-0302", "Documentation/Articles.md, 1.7 and 3.7"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    let sections = CriticalSections(program)
    var findings: [Finding] = []
    for type in program.declarations.declared {
      guard let primary = type.primary, primary.kind == .class,
        let promise = type.inherited.first(where: { $0.name == "Sendable" && $0.attributes.contains("unchecked") })
      else { continue }
      let members = type.members.filter { isMutableState($0) && !isIsolated($0, of: type, program) }
      if members.isEmpty { continue }
      let unlocked = members.compactMap { member in access(to: member, of: type, sections, program).map { (member, $0) }
      }
      if let (member, access) = unlocked.first {
        findings.append(
          finding(
            builder, type, promise, member: member.name, access: access, others: unlocked.count - 1,
            isStated: statesDiscipline(type)
              || unlocked.allSatisfy { StatedInvariant.namesDiscipline($0.0.comment) }
              || type.inherited.contains { handlers.contains($0.name) }
              || members.contains { sections.isAssertedSomewhere($0, of: type) }))
      } else if !statesInvariant(type, promise) {
        findings.append(undocumented(builder, type, members))
      }
    }
    return findings
  }

  /// What a channel of SwiftNIO calls on its own event loop.
  private static let handlers: Set<String> = [
    "ChannelHandler", "ChannelInboundHandler", "ChannelOutboundHandler", "ChannelDuplexHandler",
    "RemovableChannelHandler",
  ]

  private static let ownLocks = [
    "Mutex", "OSAllocatedUnfairLock", "ManagedAtomic", "Atomic", "UnsafeAtomic", "NIOLockedValueBox", "LockIsolated",
    "Protected", "Locked", "NSLock", "NSRecursiveLock", "os_unfair_lock", "pthread_mutex_t", "DispatchSemaphore",
  ]

  private static func isMutableState(_ member: MemberDeclaration) -> Bool {
    guard member.kind == .stored, !member.isStatic, member.attributes.allSatisfy({ $0 != "MainActor" }) else {
      return false
    }
    let type =
      member.type.prefix { $0 != "<" && $0 != "(" && $0 != "?" }.split(separator: ".").last.map(String.init) ?? ""
    if member.modifiers.contains("weak") { return true }
    if ownLocks.contains(type) { return false }
    return member.isMutable
      || ["NSMutableArray", "NSMutableDictionary", "NSMutableSet", "NSMutableData"].contains(type)
  }

  /// Whether the compiler keeps a member on a global actor, as its type or what the type inherits from says.
  private static func isIsolated(
    _ member: MemberDeclaration, of type: DeclarationIndex.Entry, _ program: Program
  ) -> Bool {
    !member.modifiers.contains { $0.hasPrefix("nonisolated") } && isOnGlobalActor(type, program, depth: 0)
  }

  private static func isOnGlobalActor(_ type: DeclarationIndex.Entry, _ program: Program, depth: Int) -> Bool {
    guard let primary = type.primary, depth < 8 else { return false }
    if primary.modifiers.contains("nonisolated") { return false }
    if primary.attributes.contains(where: { program.globalActors.contains($0) }) { return true }
    return primary.inherited.contains { base in
      base.name != primary.name && base.attributes.isEmpty
        && program.declarations.type(base.name, in: type.module).map {
          isOnGlobalActor($0, program, depth: depth + 1)
        } == true
    }
  }

  /// An access outside the initialisers that no lock surely covers.
  private static func access(
    to member: MemberDeclaration, of type: DeclarationIndex.Entry, _ sections: CriticalSections, _ program: Program
  ) -> CriticalSections.Access? {
    guard let name = type.primary?.name else { return nil }
    // A private member that nobody sets after the initialiser does not change.
    let isHidden = member.modifiers.contains("private") || member.modifiers.contains("fileprivate")
    if isHidden, member.isMutable, !member.modifiers.contains("weak"),
      !isChanged(name + "." + member.name, of: type, at: member.location, program)
    {
      return nil
    }
    let (access, isTouched) = sections.unguarded(member, of: type)
    if let access { return access }
    // A mutable member that others can reach past the lock is touched by whoever likes.
    if !isTouched, !isHidden, !member.modifiers.contains("private(set)") {
      return CriticalSections.Access(function: -1, location: member.location, isWrite: true)
    }
    return nil
  }

  /// Whether anything but an initialiser writes a member, or the source alone cannot tell.
  private static func isChanged(
    _ key: String, of type: DeclarationIndex.Entry, at place: SourceLocation, _ program: Program
  ) -> Bool {
    let typeName = type.primary?.name ?? ""
    return program.accessors(ofMember: key, in: type.module).contains { index in
      let function = program.functions[index]
      // The source alone does not say which methods of others change what they are called on.
      if function.source == .syntax, mayChange(key, in: function, program) { return true }
      return !function.flags.contains(.isInitializer) && !function.flags.contains(.isImplicit)
        && function.location != place && !program.isPartOfInitializer(index)
        && function.events.contains { event in
          guard case .write(let write) = event.kind, !program.isMadeHere(event, in: function, type: typeName) else {
            return false
          }
          return write.place.member == key || write.place.member.hasPrefix(key + ".")
        }
    }
  }

  private static func mayChange(_ key: String, in function: FunctionFacts, _ program: Program) -> Bool {
    let name = SILValueFlow.memberName(key)
    return !function.flags.contains(.isInitializer)
      && function.events.contains { event in
        guard case .call(let call) = event.kind, program.ownTargets(of: call).isEmpty, !looks(call),
          let root = call.receiverRoot
        else { return false }
        return root.split(separator: ".").last.map { $0 == name } ?? false
      }
  }

  /// A method of the language's collections that changes nothing: those of others may.
  private static func looks(_ call: Call) -> Bool {
    let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    return base == "IndexingIterator.next" || base.hasSuffix(".getter")
      || base.split(separator: ".").last.map { looking.contains(String($0)) } ?? false
  }

  private static let looking: Set<String> = [
    "map", "compactMap", "flatMap", "filter", "forEach", "reduce", "contains", "allSatisfy", "first", "last",
    "firstIndex", "lastIndex", "sorted", "reversed", "enumerated", "prefix", "suffix", "min", "max", "joined",
    "makeIterator", "isEmpty", "count",
  ]

  private static func statesInvariant(_ type: DeclarationIndex.Entry, _ promise: TypeDeclaration.Inherited) -> Bool {
    let words = type.all.map(\.comment) + type.members.filter { $0.kind == .stored }.map(\.comment)
    return words.contains { StatedInvariant.isOne($0) }
  }

  /// Whether the type says how it is kept from races, other than by a lock: that would be seen, and this cannot be. Or
  /// one of its properties says from when on nobody changes it.
  private static func statesDiscipline(_ type: DeclarationIndex.Entry) -> Bool {
    type.all.contains { StatedInvariant.namesDiscipline($0.comment) }
      || type.members.contains { [.stored, .computed].contains($0.kind) && StatedInvariant.namesFreeze($0.comment) }
  }

  private static func finding(
    _ builder: FindingBuilder, _ type: DeclarationIndex.Entry, _ promise: TypeDeclaration.Inherited, member: String,
    access: CriticalSections.Access, others: Int, isStated: Bool
  ) -> Finding {
    let name = type.primary?.name ?? ""
    let more = others > 0 ? " (and \(others) more)" : ""
    return builder.finding(
      aboutType: type, subject: name,
      message: "\(name) promises to be Sendable, but \(member)\(more) is touched without a lock"
        + (isStated ? ": what it says of who may touch it, nothing checks" : ""),
      action: "keep \(member) in a Mutex, or make \(name) an actor",
      path: [
        PathStep(location: promise.location, text: "the promise that the compiler does not check"),
        PathStep(
          location: access.location, text: "\(member) is \(access.isWrite ? "changed" : "read") here, with no lock held"
        ),
      ], severity: isStated ? .note : nil, confidence: .high)
  }

  private static func undocumented(
    _ builder: FindingBuilder, _ type: DeclarationIndex.Entry, _ members: [MemberDeclaration]
  ) -> Finding {
    let name = type.primary?.name ?? ""
    return builder.finding(
      aboutType: type, subject: name,
      message: "\(name) keeps its mutable state under a lock or on a queue, and nothing says so",
      action: "state the invariant above the type: which lock protects which members",
      path: [PathStep(location: members[0].location, text: "\(members[0].name) is always touched with a lock held")],
      severity: .note, confidence: .medium)
  }
}
