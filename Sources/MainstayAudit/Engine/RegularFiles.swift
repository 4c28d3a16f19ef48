/// Which file handles are of files that were opened by their name for reading: what is there is there at once.
import MainstayFindings

struct RegularFiles {
  private let program: Program

  private struct Slot: Hashable {
    var function: Int
    var parameter: Int
  }

  init(_ program: Program) { self.program = program }

  /// Whether a read of a file handle can only be of one that was opened by a file's name, here or by every caller.
  func reads(_ event: Int, in function: Int) -> Bool {
    guard let call = program.functions[function].call(at: event), call.display.contains("FileHandle."),
      let receiver = call.receiver, call.arguments.indices.contains(receiver)
    else { return false }
    var asked: Set<Slot> = []
    return isOne(call.arguments[receiver].origins, in: function, &asked)
  }

  private static func opens(_ call: Call) -> Bool {
    let name = CalleePattern.normalised(call.display)
    return name.contains("FileHandle.init(forReadingFrom") || name.contains("FileHandle.init(forReadingAtPath")
  }

  private func isOne(_ origins: Origins, in index: Int, _ asked: inout Set<Slot>) -> Bool {
    guard !origins.isEmpty else { return false }
    let function = program.functions[index]
    return origins.members.allSatisfy { member in
      if let parameter = Origins.parameter(of: member) { return isPassed(parameter, to: index, &asked) }
      return function.call(at: Int(member)).map { RegularFiles.opens($0) } ?? false
    }
  }

  /// Whether everybody who calls a function passes such a handle for a parameter, or a closure has captured one.
  private func isPassed(_ parameter: Int, to index: Int, _ asked: inout Set<Slot>) -> Bool {
    let function = program.functions[index]
    // A function that calls itself adds no handle.
    guard asked.insert(Slot(function: index, parameter: parameter)).inserted else { return true }
    guard asked.count < 64 else { return false }
    guard function.parameters.indices.contains(parameter) else { return false }
    if function.isClosure {
      guard function.parameters[parameter].isCapture, let creators = program.creators[index] else { return false }
      return creators.allSatisfy { creator in
        guard let call = program.functions[creator.function].call(at: creator.event),
          let closure = call.arguments.flatMap(\.closure).first(where: { $0.function == function.name })
        else { return false }
        let position = parameter - (function.parameters.count - closure.captures.count)
        guard closure.captures.indices.contains(position) else { return false }
        return isOne(closure.captures[position].origins, in: creator.function, &asked)
      }
    }
    guard let callers = program.callers[index], !callers.isEmpty, !program.isWitness(index) else { return false }
    return callers.allSatisfy { caller in
      guard let call = program.functions[caller.function].call(at: caller.event),
        call.arguments.indices.contains(parameter)
      else { return false }
      return isOne(call.arguments[parameter].origins, in: caller.function, &asked)
    }
  }
}
