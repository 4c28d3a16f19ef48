/// Declarations as bytes, after the functions of their file.
import MainstayFindings

extension FactsWriter {
  mutating func source(_ facts: SourceFacts) {
    string(facts.file)
    string(facts.module)
    list(facts.imports) { $0.string($1) }
    list(facts.types) { writer, type in
      writer.string(type.name)
      writer.string(type.kind.rawValue)
      writer.list(type.attributes) { $0.string($1) }
      writer.list(type.modifiers) { $0.string($1) }
      writer.list(type.inherited) {
        $0.string($1.name)
        $0.list($1.attributes) { $0.string($1) }
        $0.location($1.location)
      }
      writer.list(type.members) { $0.member($1) }
      writer.string(type.comment)
      writer.location(type.location)
      writer.optional(type.outer)
      writer.number(type.isLocal ? 1 : 0)
    }
    list(facts.members) { $0.member($1) }
    list(facts.silencers) {
      $0.string($1.kind.rawValue)
      $0.location($1.location)
      $0.string($1.comment)
      $0.string($1.function)
      $0.optional($1.type)
      $0.optional($1.given)
      $0.number($1.variable.map { $0.isConstant ? 2 : 1 } ?? 0)
      $0.string($1.variable?.type ?? "")
      $0.string($1.variable?.value ?? "")
    }
    list(facts.mainQueueBlocks) {
      $0.location($1.location)
      $0.string($1.comment)
    }
    list(facts.bound) {
      $0.string($1.type)
      $0.string($1.path)
      $0.list($1.locks) { $0.string($1) }
      $0.string($1.given)
    }
  }

  private mutating func member(_ member: MemberDeclaration) {
    string(member.name)
    string(member.kind.rawValue)
    number(
      (member.isMutable ? 1 : 0) + (member.isStatic ? 2 : 0) + (member.isAsync ? 4 : 0) + (member.isThrowing ? 8 : 0))
    string(member.type)
    string(member.labels)
    optional(member.isolatedParameter)
    list(member.parameters) {
      $0.string($1.type)
      $0.number(($1.hasDefault ? 1 : 0) + ($1.runsDefault ? 2 : 0))
    }
    list(member.runs) { $0.string($1) }
    string(member.initial)
    list(member.attributes) { $0.string($1) }
    list(member.modifiers) { $0.string($1) }
    string(member.comment)
    location(member.location)
  }
}

extension FactsWriter {
  mutating func outline(_ outline: SourceOutline) {
    list(outline.declarations) { writer, declaration in
      writer.number(declaration.kind.rawValue)
      writer.string(declaration.name)
      writer.list(declaration.attributes) { $0.string($1) }
      writer.list(declaration.modifiers) { $0.string($1) }
      writer.list(declaration.inherited) { $0.string($1) }
      writer.number(declaration.range.lowerBound)
      writer.number(declaration.range.count)
      writer.number(declaration.parent)
    }
    var last = 0
    list(outline.lineStarts) {
      $0.number($1 - last)
      last = $1
    }
  }
}

extension FactsByteReader {
  mutating func outline() -> SourceOutline {
    var index = 0
    let declarations = list { reader in
      let kind = OutlinedDeclaration.Kind(rawValue: reader.number()) ?? .closure
      let name = reader.string()
      let attributes = reader.list { $0.string() }
      let modifiers = reader.list { $0.string() }
      let inherited = reader.list { $0.string() }
      let start = reader.number()
      let end = start.addingReportingOverflow(reader.number())
      let parent = reader.number()
      // What is around a declaration comes before it: nothing that was damaged may lead in a circle.
      let isRight = start >= 0 && !end.overflow && end.partialValue >= start && (-1..<index).contains(parent)
      index += 1
      return OutlinedDeclaration(
        kind: kind, name: name, attributes: attributes, modifiers: modifiers, inherited: inherited,
        range: isRight ? start..<end.partialValue : 0..<0, parent: isRight ? parent : -1)
    }
    var last = 0
    let lineStarts = list { reader in
      last = max(0, last &+ reader.number())
      return last
    }
    return SourceOutline(declarations: declarations, lineStarts: lineStarts)
  }

  mutating func source() -> SourceFacts {
    var facts = SourceFacts()
    facts.file = string()
    facts.module = string()
    facts.imports = list { $0.string() }
    facts.types = list { reader in
      TypeDeclaration(
        name: reader.string(), kind: TypeDeclaration.Kind(rawValue: reader.string()) ?? .struct,
        attributes: reader.list { $0.string() }, modifiers: reader.list { $0.string() },
        inherited: reader.list { reader in
          TypeDeclaration.Inherited(
            name: reader.string(), attributes: reader.list { $0.string() }, location: reader.location())
        }, members: reader.list { $0.member() }, comment: reader.string(), location: reader.location(),
        outer: reader.optional(), isLocal: reader.number() == 1)
    }
    facts.members = list { $0.member() }
    facts.silencers = list { reader in
      var silencer = Silencer(
        kind: Silencer.Kind(rawValue: reader.string()) ?? .assumeIsolated, location: reader.location(),
        comment: reader.string(), function: reader.string(), type: reader.optional(), given: reader.optional())
      let binding = reader.number()
      let variable = Silencer.Variable(isConstant: binding == 2, type: reader.string(), value: reader.string())
      if binding > 0 { silencer.variable = variable }
      return silencer
    }
    facts.mainQueueBlocks = list { MainQueueBlock(location: $0.location(), comment: $0.string()) }
    facts.bound = list { reader in
      BoundMember(
        type: reader.string(), path: reader.string(), locks: reader.list { $0.string() }, given: reader.string())
    }
    return facts
  }

  private mutating func member() -> MemberDeclaration {
    let name = string()
    let kind = MemberDeclaration.Kind(rawValue: string()) ?? .stored
    let flags = number()
    return MemberDeclaration(
      name: name, kind: kind, isMutable: flags & 1 != 0, isStatic: flags & 2 != 0, type: string(),
      labels: string(), isAsync: flags & 4 != 0, isThrowing: flags & 8 != 0, isolatedParameter: optional(),
      parameters: list { reader in
        let type = reader.string()
        let flags = reader.number()
        return ParameterDeclaration(type: type, hasDefault: flags & 1 != 0, runsDefault: flags & 2 != 0)
      }, runs: list { $0.string() }, initial: string(), attributes: list { $0.string() },
      modifiers: list { $0.string() }, comment: string(), location: location())
  }
}
