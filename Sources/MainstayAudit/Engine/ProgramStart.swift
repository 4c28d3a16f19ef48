/// What only a program's entry runs: work that is done before there is anybody to keep waiting.

final class ProgramStart {
  private let program: Program
  private var known: [Int: Bool] = [:]

  init(_ program: Program) { self.program = program }

  /// Whether a function runs once, because `main` calls it or calls what does: no object's method, nobody's closure, and
  /// in no loop.
  func contains(_ index: Int) -> Bool {
    let function = program.functions[index]
    if function.isEntry { return true }
    if let answer = known[index] { return answer }
    // A way that comes back to itself has no first turn.
    known[index] = false
    let answer = isCalledOnceOnly(index) && (program.callers[index] ?? []).allSatisfy { contains($0.function) }
    known[index] = answer
    return answer
  }

  private func isCalledOnceOnly(_ index: Int) -> Bool {
    let function = program.functions[index]
    guard !function.isClosure, program.creators[index] == nil, let callers = program.callers[index],
      function.display.hasPrefix("static ") || Program.enclosingType(function.display) == nil
    else { return false }
    return callers.count == 1
      && callers.allSatisfy { caller in
        let flow = ControlFlow(program.functions[caller.function])
        return !flow.loopBlocks.contains(flow.block(of: caller.event))
      }
  }
}
