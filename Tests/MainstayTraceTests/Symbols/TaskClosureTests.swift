import Testing

@testable import MainstayTrace

@Suite("The closure of a task")
struct TaskClosureTests {
  /// The return addresses of the calls in a function that make tasks, in the order of the code.
  private func calls(in function: String, of program: CompiledProgram) throws -> [UInt64] {
    let image = program.image
    let demangler = Demangler()
    let bodies = image.symbols(withPrefix: "$s5Tasks").filter {
      $0.isFunction && FunctionName(symbol: $0.name, demangler: demangler).display == function
    }
    return try bodies.flatMap { body in
      let code = try #require(image.bytes(at: body.address, count: body.size))
      return (0...max(0, code.count - 5)).compactMap { at -> UInt64? in
        guard code.count >= 5, code[at] == 0xe8 else { return nil }
        let after = body.address + UInt64(at) + 5
        let target = after &+ UInt64(bitPattern: Int64(code.littleEndian(Int32.self, at: at + 1)))
        guard let callee = image.symbol(covering: target), callee.address == target else { return nil }
        return FunctionName(symbol: callee.name, demangler: demangler).isConcurrencyLibrary ? after : nil
      }
    }
  }

  @Test("is found from where the task was made", arguments: [CompiledProgram.Build.debug, .release])
  func creation(build: CompiledProgram.Build) throws {
    let program = try CompiledProgram.named("Tasks", build)
    let function = "SearchModel.queryChanged(_:)"
    let returns = try calls(in: function, of: program)
    let made = program.symbols.creations(returns.map { [CompiledProgram.base + $0] })
    #expect(made.map { $0?.closure?.display } == (1...4).map { "closure \($0) in \(function)" })
    #expect(made.map { $0?.frame.name.display } == Array(repeating: function, count: 4))
    if build == .debug {
      let lines = try (1...4).map { try program.line("closure \($0)") }
      #expect(made.map { $0?.frame.line } == lines)
    }
  }

  @Test("is found for children of a group, inlined or not", arguments: [CompiledProgram.Build.debug, .release])
  func children(build: CompiledProgram.Build) throws {
    let program = try CompiledProgram.named("Tasks", build)
    let body = "closure 1 in SearchModel.group()"
    let inClosure = try calls(in: body, of: program)
    let returns = inClosure.isEmpty ? try calls(in: "SearchModel.group()", of: program) : inClosure
    let made = program.symbols.creations(returns.map { [CompiledProgram.base + $0] }).filter { $0?.closure != nil }
    #expect(made.map { $0?.closure?.display } == ["closure 1 in \(body)", "closure 2 in \(body)"])
    #expect(made.map { $0?.frame.name.display } == [body, body])
    #expect(made.map { $0?.frame.line } == [try program.line("child 1"), try program.line("child 2")])
  }

  @Test(
    "is not taken from an earlier task when a method is the operation",
    arguments: [CompiledProgram.Build.debug, .release])
  func method(build: CompiledProgram.Build) throws {
    let program = try CompiledProgram.named("Tasks", build)
    let returns = try calls(in: "SearchModel.methods()", of: program)
    let made = program.symbols.creations(returns.map { [CompiledProgram.base + $0] })
    #expect(made.first??.closure?.display == "closure 1 in SearchModel.methods()")
    let last = try #require(made.last ?? nil)
    #expect(last.closure?.kind != .closure)
    #expect(last.frame.name.display == "SearchModel.methods()")
  }

  @Test("skips the library's own code at the top of the stack")
  func libraryFrames() throws {
    let program = try CompiledProgram.named("Tasks", .debug)
    let initializer = try #require(
      program.image.symbols(withPrefix: "$sScT").first {
        FunctionName(symbol: $0.name, demangler: Demangler()).display == "Task.init(name:priority:operation:)"
      })
    let call = try #require(try calls(in: "Store.kick()", of: program).first)
    let inside = CompiledProgram.base + initializer.address + 8
    let made = try #require(program.symbols.creation([inside, CompiledProgram.base + call]))
    #expect(made.closure?.display == "closure 1 in Store.kick()")
    #expect(program.symbols.creation([inside]) == nil)
    #expect(program.symbols.creation([]) == nil)
    #expect(program.symbols.creation([3]) == nil)
  }

  @Test("is named by the async function pointer of its forwarder, and not by a shared thunk")
  func pointers() throws {
    let program = try CompiledProgram.named("Tasks", .debug)
    let pointers = program.image.symbols(withPrefix: "$s").filter { !$0.isFunction && $0.name.hasSuffix("Tu") }
    let found = program.symbols.resolve(pointers.map { (CompiledProgram.base + $0.address, .exact) })
    let closures = found.filter { $0.physical.name.kind == .closure }.map(\.physical.name)
    #expect(closures.contains { $0.display == "closure 2 in SearchModel.queryChanged(_:)" && $0.isThunk })
    let thunks = found.filter { $0.physical.name.kind == .thunk }.map(\.physical.name)
    #expect(!thunks.isEmpty && thunks.allSatisfy { $0.isThunk && $0.enclosing == nil })
  }
}
