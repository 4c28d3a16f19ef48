/// Memory and state: loads, stores, accesses, and the reads and writes that they mean.
import MainstayFindings

extension SILValueFlow {
  mutating func load(_ address: Int32, to result: Int32, _ instruction: SILInstruction, _ position: Int) {
    let known = values[Int(address)]
    values[Int(result)] = SILValue()
    values[Int(result)].origins = fullOrigins(address)
    values[Int(result)].field = known.field
    if let place = known.place {
      values[Int(result)].root =
        place.root == "global" ? place.member : place.root + "." + SILValueFlow.memberName(place.member)
      if known.access < 0, !known.isElement, readOfAccess[address] == nil {
        values[Int(result)].origins.formUnion(read(place, instruction, position))
        values[Int(result)].loaded = (place, primary(position))
      }
    } else if known.memory >= 0 {
      let stored = memory[Int(known.memory)]
      values[Int(result)].root = stored.root ?? known.root
      values[Int(result)].literal = stored.literal
      values[Int(result)].closures = stored.closures
      values[Int(result)].target = stored.target
      values[Int(result)].symbol = stored.symbol
      values[Int(result)].executor = stored.executor
      values[Int(result)].writtenOut = stored.writtenOut
    } else {
      values[Int(result)].root = known.root
      values[Int(result)].closures = known.closures
    }
  }

  /// Notes a read. On another actor's executor it is a visit to that actor too, as a getter's call would be.
  mutating func read(_ place: Place, _ instruction: SILInstruction, _ position: Int) -> Origins {
    emit(.read(place), instruction, origin: primary(position))
    guard current != .own, current != .generic else { return origins(primary(position)) }
    let call = Call(
      callee: .unknown, display: place.member + ".getter", isAsync: false, executor: current,
      arguments: [Argument(root: place.root)], receiver: 0)
    emit(.call(call), instruction, origin: secondary(position))
    return Origins(members: [primary(position), secondary(position)])
  }

  /// State that is passed by address is read by the call.
  mutating func readArguments(_ passed: [Int32], _ instruction: SILInstruction, _ position: Int) {
    var number = Int32(position * 4 + 2)
    for value in passed {
      let known = values[Int(value)]
      guard let place = known.place, known.access < 0, !known.isElement, readOfAccess[value] == nil,
        number < Int32(position * 4 + 4)
      else { continue }
      emit(.read(place), instruction, origin: number)
      values[Int(value)].origins.formUnion(origins(number))
      number += 1
    }
  }

  mutating func readIfPlace(_ address: Int32, _ instruction: SILInstruction, _ position: Int) {
    let known = values[Int(address)]
    guard let place = known.place, known.access < 0, !known.isElement, readOfAccess[address] == nil else { return }
    values[Int(address)].origins.formUnion(read(place, instruction, position))
  }

  mutating func beginAccess(
    _ source: Int32, _ result: Int32, _ instruction: SILInstruction, _ position: Int
  ) {
    forward(source, to: result)
    guard let place = values[Int(source)].place, !values[Int(source)].isElement else { return }
    // What is read through a read access is known when it is loaded: perhaps one field of it.
    if instruction.isModify {
      values[Int(result)].origins.formUnion(read(place, instruction, position))
      readOfAccess[result] = true
      values[Int(result)].access = Int32(pending.count)
      pending.append(PendingWrite(place: place, location: location(instruction)))
    }
  }

  mutating func store(_ source: Int32, to address: Int32, _ instruction: SILInstruction) {
    let known = argument(source)
    let target = values[Int(address)]
    if let member = target.field { keep(source, in: member) }
    if let place = target.place {
      record(
        Write(
          place: place, origins: target.isElement ? joined(known.origins, target.origins) : known.origins,
          literal: target.isElement ? nil : known.literal, isPartial: target.isElement),
        through: address, instruction)
    }
    notePart(source, storedIn: address)
    if target.writtenOut >= 0, target.place == nil {
      elements[target.writtenOut, default: Origins()].formUnion(known.origins)
    }
    guard target.memory >= 0 else { return }
    let slot = Int(target.memory)
    memory[slot].writtenOut = values[Int(source)].writtenOut
    let isFirst = memory[slot].origins.isEmpty && memory[slot].literal == nil
    memory[slot].origins.formUnion(known.origins)
    memory[slot].literal = isFirst || memory[slot].literal == known.literal ? known.literal : nil
    if memory[slot].root == nil { memory[slot].root = known.root }
    if memory[slot].closures.isEmpty { memory[slot].closures = known.closure }
    if memory[slot].target == .none {
      memory[slot].target = values[Int(source)].target
      memory[slot].symbol = values[Int(source)].symbol
    }
    if memory[slot].executor == nil { memory[slot].executor = values[Int(source)].executor }
  }

  func joined(_ left: Origins, _ right: Origins) -> Origins {
    var result = left
    result.formUnion(right)
    return result
  }

  /// Notes a write; it becomes an event when its access ends, or now when there is none.
  mutating func record(_ write: Write, through address: Int32, _ instruction: SILInstruction) {
    let access = values[Int(address)].access
    if access >= 0, Int(access) < pending.count {
      if let index = pending[Int(access)].writes.firstIndex(where: { $0.place == write.place }) {
        pending[Int(access)].writes[index].origins.formUnion(write.origins)
        if pending[Int(access)].writes[index].literal != write.literal {
          pending[Int(access)].writes[index].literal = nil
        }
        pending[Int(access)].writes[index].isPartial = pending[Int(access)].writes[index].isPartial && write.isPartial
      } else {
        pending[Int(access)].writes.append(write)
      }
    } else {
      emit(.write(write), instruction)
    }
  }

  mutating func flush(_ access: Int32, _ instruction: SILInstruction) {
    guard access >= 0, Int(access) < pending.count else { return }
    let open = pending[Int(access)]
    pending[Int(access)].writes.removeAll()
    for write in open.writes { events.append(Event(kind: .write(write), location: open.location)) }
  }
}
