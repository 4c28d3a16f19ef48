/// Finds the closure that a `Task { … }` runs when the name of its entry does not say.

/// What Swift 6.3.1 makes of a task's closure, found in programs built with `-Onone -g` and `-O -g`:
///
/// - `Task {}` whose closure cannot throw, `Task.detached`, `Task.immediate` and `addTask` enter through a shared
///   thunk, `partial apply forwarder for reabstraction thunk helper …` (`…TRTA`, `…TRTA.103`, `…TRyt_Tg5TA.93`). Its
///   name says only the closure's *type*: every such task of a module has the same one.
/// - A closure that already has the task's own type (`Task<Int, any Error>`) enters through its own forwarder,
///   `partial apply forwarder for closure #4 in …` (`…U2_TA`); `FunctionName` names that one by itself.
/// - The entry given to `swift_task_create` is not code but an *async function pointer* (`…Tu`, in data).
/// - For the shared thunks there are three other sources, the best first:
///   1. the words of the closure's context, from the third on: one of them points to the async function pointer of the
///      closure's own forwarder (`…U_TATu`). Pass it as an exact address; its name says everything.
///   2. the return addresses of the creation: the first is inside `Task.init` (which is compiled into the program), the
///      second in the function that wrote `Task {}`, on its line. The code before it takes the address of the
///      forwarder's pointer: that is what this type reads.
///   3. the task's next resume function (`…U_TY0_`): a piece of the closure itself.
/// - A method used as the operation (`Task(operation: self.run)`) has no closure: only the enclosing function is known.
struct TaskClosure {
  let image: ELFImage
  let demangler: Demangler

  /// The closure whose async function pointer is taken last before a call returns, in the function it returns to.
  ///
  /// An earlier call of the same function ends the search: what was taken before it belonged to that call.
  func closure(createdBefore returnAddress: UInt64) -> FunctionName? {
    guard returnAddress > 5, let caller = image.symbol(covering: returnAddress - 1), caller.isFunction
    else { return nil }
    let call = returnAddress - 5
    let start = max(caller.address, previousCall(like: call, after: caller.address) ?? 0)
    let sites = CodeReferences(image: image).sites(in: start..<max(start, call)) { target in
      image.symbol(covering: target).map { $0.address == target && $0.name.hasSuffix("Tu") } ?? false
    }
    for site in sites.reversed() {
      guard let symbol = image.symbol(covering: site.target) else { continue }
      let name = FunctionName(symbol: symbol.name, demangler: demangler)
      if name.kind == .closure || name.kind == .implicitClosure { return name }
    }
    return nil
  }

  /// The address after the last direct call before `call` that goes to the same function.
  private func previousCall(like call: UInt64, after start: UInt64) -> UInt64? {
    guard call >= start, call - start < 4 << 20, let code = image.bytes(at: start, count: call - start + 5),
      code.count >= 5
    else { return nil }
    let last = code.count - 5
    guard code[last] == 0xe8 else { return nil }
    let target = last &+ Int(code.littleEndian(Int32.self, at: last + 1))
    for at in stride(from: last - 5, through: 0, by: -1) where code[at] == 0xe8 {
      if at &+ Int(code.littleEndian(Int32.self, at: at + 1)) == target { return start + UInt64(at) + 5 }
    }
    return nil
  }
}
