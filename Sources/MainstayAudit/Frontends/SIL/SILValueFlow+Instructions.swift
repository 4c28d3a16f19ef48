/// One instruction at a time: what it makes of its operands.
import MainstayFindings

extension SILValueFlow {
  mutating func step(_ position: Int) {
    let instruction = body.instructions[position]
    let operands = body.values[instruction.operands]
    let results = body.values[instruction.results]
    let first = operands.first
    switch instruction.operation {
    case .functionReference, .dynamicFunctionReference, .previousFunctionReference:
      guard let result = results.first else { return }
      values[Int(result)].target = .function
      values[Int(result)].symbol = instruction.symbol
      if let display = displays[instruction.symbol],
        SILDialect.executorChecks.contains(where: { display.hasPrefix($0) })
      {
        emit(.executorCheck, instruction)
      }
    case .classMethod, .superMethod, .objcMethod, .objcSuperMethod:
      guard let result = results.first else { return }
      values[Int(result)].target = .method
      values[Int(result)].symbol = instruction.symbol
    case .witnessMethod:
      guard let result = results.first else { return }
      values[Int(result)].target = .witness
      values[Int(result)].symbol = instruction.symbol
    case .debugValue:
      guard let first, instruction.symbol >= 0 else { return }
      let name = symbols.string(instruction.symbol)
      if values[Int(first)].root == nil || values[Int(first)].root?.hasPrefix("$") == true {
        values[Int(first)].root = name
      }
    case .allocStack, .allocBox:
      guard let result = results.first else { return }
      values[Int(result)].memory = result
      isStackMemory.insert(result)
      if instruction.symbol >= 0 { values[Int(result)].root = symbols.string(instruction.symbol) }
    case .apply, .tryApply, .beginApply:
      call(instruction, position, operands, results)
    case .builtin:
      builtin(instruction, position, operands, results)
    case .keyPath:
      guard let result = results.first, instruction.symbol >= 0 else { return }
      values[Int(result)].keyPathGetter = symbols.string(instruction.symbol)
    case .partialApply:
      partialApply(instruction, operands, results)
    case .store, .assign, .copyAddress, .storeBorrow:
      guard operands.count >= 2 else { return }
      if instruction.operation == .copyAddress { readIfPlace(operands[operands.startIndex], instruction, position) }
      store(operands[operands.startIndex], to: operands[operands.startIndex + 1], instruction)
      if let result = results.first { forward(operands[operands.startIndex + 1], to: result) }
    case .injectEnumAddress:
      guard let first else { return }
      if values[Int(first)].memory >= 0, instruction.symbol >= 0 {
        memory[Int(values[Int(first)].memory)].literal = literal(ofCase: symbols.string(instruction.symbol))
      } else if let place = values[Int(first)].place {
        record(
          Write(
            place: place, origins: Origins(), literal: literal(ofCase: symbols.string(instruction.symbol)),
            isPartial: false),
          through: first, instruction)
      }
    case .loadWeak:
      passThrough(operands, results)
      if let first, let name = values[Int(first)].root { emit(.retain(name), instruction) }
    case .load, .loadBorrow:
      guard let first, let result = results.first else { return }
      load(first, to: result, instruction, position)
    case .beginAccess:
      guard let first, let result = results.first else { return }
      beginAccess(first, result, instruction, position)
    case .endAccess, .endApply, .abortApply:
      guard let first else { return }
      let access = instruction.operation == .endAccess ? values[Int(first)].access : accessOfToken[first] ?? -1
      flush(access, instruction)
    case .refElementAddress:
      guard let first, let result = results.first else { return }
      let member = instruction.symbol >= 0 ? symbols.string(instruction.symbol) : "?"
      values[Int(result)] = SILValue()
      values[Int(result)].place = Place(root: argument(first).root ?? "?", member: member)
      values[Int(result)].origins = values[Int(first)].origins
      values[Int(result)].field = member
    case .structElementAddress, .tupleElementAddress:
      guard let first, let result = results.first else { return }
      forward(first, to: result)
      if instruction.symbol >= 0 { values[Int(result)].field = symbols.string(instruction.symbol) }
      if let place = values[Int(first)].place, instruction.symbol >= 0 {
        let field = symbols.string(instruction.symbol)
        let name = SILValueFlow.memberName(field)
        if !name.hasPrefix("_") {
          values[Int(result)].place = Place(root: place.root, member: place.member + "." + name)
        }
      }
    case .structExtract:
      guard let first, let result = results.first else { return }
      forward(first, to: result)
      values[Int(result)].literal = nil
      values[Int(result)].loaded = nil
      // A function in a member of the value that is passed is that member's, not the parameter itself.
      if values[Int(result)].target == .parameter { values[Int(result)].target = .none }
      if instruction.symbol >= 0 { values[Int(result)].field = symbols.string(instruction.symbol) }
      if let loaded = values[Int(first)].loaded, instruction.symbol >= 0 {
        // One field of a whole that was loaded: what depends on it depends on that field.
        let name = SILValueFlow.memberName(symbols.string(instruction.symbol))
        if !name.hasPrefix("_") {
          let field = Place(root: loaded.place.root, member: loaded.place.member + "." + name)
          emit(.read(field), instruction, origin: primary(position))
          values[Int(result)].origins.remove(loaded.origin)
          values[Int(result)].origins.formUnion(origins(primary(position)))
          values[Int(result)].loaded = (field, primary(position))
        }
      }
      if let root = values[Int(first)].root, instruction.symbol >= 0 {
        let name = SILValueFlow.memberName(symbols.string(instruction.symbol))
        values[Int(result)].root = name.hasPrefix("_") ? root : root + "." + name
      }
    case .globalAddress:
      guard let result = results.first, instruction.symbol >= 0 else { return }
      values[Int(result)].place = Place(
        root: "global", member: displays[instruction.symbol] ?? symbols.string(instruction.symbol))
    case .hop:
      guard let first else { return }
      let executor = executor(of: first)
      if executor != current || executor != .own { emit(.hop(executor), instruction) }
      current = executor
    case .integerLiteral:
      guard let result = results.first, instruction.symbol >= 0 else { return }
      let literal = symbols.string(instruction.symbol)
      values[Int(result)].literal = literal.split(separator: ",").last.map {
        let number = String($0.drop { $0 == " " })
        return literal.contains("Int1,") ? (number == "0" ? "false" : "true") : number
      }
    case .floatLiteral:
      if let result = results.first { values[Int(result)].literal = LiteralText.any }
    case .stringLiteral:
      guard let result = results.first, instruction.symbol >= 0 else { return }
      let text = symbols.string(instruction.symbol)
      values[Int(result)].literal = LiteralText.kept(of: text.split(separator: "\"").last.map(String.init) ?? "")
    case .enumeration:
      guard let result = results.first, instruction.symbol >= 0 else { return }
      let name = symbols.string(instruction.symbol)
      if name == "Optional.some", let first {
        forward(first, to: result)
      } else {
        values[Int(result)].literal = literal(ofCase: name)
        for operand in operands { values[Int(result)].origins.formUnion(fullOrigins(operand)) }
        if name == "Optional.none" { values[Int(result)].executor = .generic }
      }
    case .structure:
      guard let result = results.first else { return }
      keepMembers(operands)
      if operands.count == 1, let first {
        forward(first, to: result)
      } else {
        for operand in operands { values[Int(result)].origins.formUnion(fullOrigins(operand)) }
      }
    case .branch:
      guard let target = targets.first else { return }
      for (index, operand) in operands.enumerated() where index < body.blocks[target].arguments.count {
        merge(operand, into: body.blocks[target].arguments[index])
        // `x == nil` is one literal on either side of a switch: what was switched on decides.
        if let condition = conditions[block], values[Int(operand)].origins.isEmpty {
          values[body.blocks[target].arguments[index]].origins.formUnion(condition)
        }
      }
    case .conditionalBranch, .switchEnum, .switchEnumAddress, .switchValue, .checkedCastBranch,
      .checkedCastAddressBranch, .dynamicMethodBranch:
      branch(instruction, operands)
    case .awaitContinuation:
      let call = Call(
        callee: .unknown, display: "withUnsafeContinuation", isAsync: true, executor: .own, arguments: [],
        receiver: nil)
      emit(.call(call), instruction, origin: primary(position))
      for target in targets {
        for argument in body.blocks[target].arguments { values[argument].origins.formUnion(origins(primary(position))) }
      }
    case .convertFunction, .convertEscape, .thinToThick:
      guard let first, let result = results.first else { return }
      forward(first, to: result)
      if instruction.isNoescape {
        values[Int(result)].isNoescape = true
        for index in values[Int(result)].closures.indices { values[Int(result)].closures[index].escapes = false }
      }
    case .initBlockStorage:
      // The first operand is the storage whose closure the block runs; the second is how.
      guard let first, let result = results.first else { return }
      values[Int(result)].closures = argument(first).closure
      values[Int(result)].origins = fullOrigins(first)
    case .initExistentialAddress:
      passThrough(operands, results)
      notePart(first, instruction)
    case .yield, .other, .unknown, .refTailAddress, .projectBox, .projectBlockStorage:
      passThrough(operands, results)
    }
  }

  mutating func branch(_ instruction: SILInstruction, _ operands: ArraySlice<Int32>) {
    guard let first = operands.first else { return }
    let origins = fullOrigins(first)
    emit(.branch(origins), instruction)
    for target in targets {
      conditions[target] = origins
      for argument in body.blocks[target].arguments {
        values[argument].origins.formUnion(origins)
        if values[argument].root == nil { values[argument].root = self.argument(first).root }
        if values[argument].executor == nil { values[argument].executor = values[Int(first)].executor }
        if values[argument].field == nil { values[argument].field = values[Int(first)].field }
        if values[argument].closures.isEmpty { values[argument].closures = values[Int(first)].closures }
        if values[argument].target == .none {
          values[argument].target = values[Int(first)].target
          values[argument].symbol = values[Int(first)].symbol
        }
      }
    }
  }
}
