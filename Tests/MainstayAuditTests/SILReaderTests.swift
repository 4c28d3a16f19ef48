/// Golden tests of the SIL reader, one for each construct, and text that has been damaged.
import MainstayFindings
import Testing

@testable import MainstayAudit

/// A whole SIL text around one function's body.
private func sil(
  _ body: String, type: String = "@convention(method) @async (Int, @sil_isolated @guaranteed Account) -> ()"
) -> String {
  """
  sil_stage canonical

  import Builtin

  // Account.pay(_:), loc "/p/A.swift":12:8, scope 1
  // Isolation: actor_instance. name: 'self'
  sil @pay : $\(type) {
  \(body)
  } // end sil function 'pay'

  """
}

private func read(_ body: String) throws -> FunctionFacts {
  try #require(try SILReader.read(sil(body), module: "App").functions.first)
}

private let prologue = """
  bb0(%0 : $Int, %1 : $Account):
    debug_value %0, let, name "n", argno 1, loc "/p/A.swift":12:14, scope 1
    debug_value %1, let, name "self", argno 2, loc "/p/A.swift":12:8, scope 1
    hop_to_executor %1, loc * "/p/A.swift":12:8, scope 1

  """

@Suite struct SILReaderTests {
  @Test("a header gives name, place, isolation and whether it is async") func header() throws {
    let function = try read(prologue + "  %4 = tuple (), loc \"/p/A.swift\":12:9, scope 1\n  return %4")
    #expect(function.name == "pay")
    #expect(function.display == "Account.pay(_:)")
    #expect(function.location == SourceLocation(file: "/p/A.swift", line: 12, column: 8))
    #expect(function.isolation == .selfActor)
    #expect(function.isAsync)
    #expect(function.parameters.map(\.name) == ["n", "self"])
    #expect(function.events.isEmpty, "a hop to the function's own actor is no event")
  }

  @Test("a member that is loaded is a read, and a branch on it depends on that read") func readAndBranch() throws {
    let function = try read(
      prologue + """
          %5 = ref_element_addr %1, #Account.balance, loc "/p/A.swift":12:36, scope 1
          %6 = begin_access [read] [dynamic] %5, loc "/p/A.swift":12:36, scope 1
          %7 = load %6, loc "/p/A.swift":12:36, scope 1
          end_access %6, loc "/p/A.swift":12:36, scope 1
          %9 = struct_extract %7, #Int._value, loc "/p/A.swift":12:44, scope 1
          %11 = builtin "cmp_sge_Int64"(%9, %9) : $Builtin.Int1, loc "/p/A.swift":12:44, scope 1
          cond_br %11, bb1, bb2, loc "/p/A.swift":12:44, scope 1

        bb1:
          br bb2, loc "/p/A.swift":12:50, scope 1

        bb2:
          return %7
        """)
    #expect(function.blocks.map(\.successors) == [[1, 2], [2], []])
    let place = Place(root: "self", member: "Account.balance")
    #expect(function.events.map(\.kind) == [.read(place), .branch(Origins(members: [-2, 0]))])
  }

  @Test("what depends on one field of a loaded struct depends on that field") func field() throws {
    let function = try read(
      prologue + """
          %5 = ref_element_addr %1, #Account.state, loc "/p/A.swift":12:36, scope 1
          %6 = begin_access [read] [dynamic] %5, loc "/p/A.swift":12:36, scope 1
          %7 = load %6, loc "/p/A.swift":12:36, scope 1
          end_access %6, loc "/p/A.swift":12:36, scope 1
          %9 = struct_extract %7, #State.isOpen, loc "/p/A.swift":12:44, scope 1
          %10 = struct_extract %9, #Bool._value, loc "/p/A.swift":12:44, scope 1
          cond_br %10, bb1, bb1, loc "/p/A.swift":12:44, scope 1

        bb1:
          return %7
        """)
    #expect(
      function.events.map(\.kind) == [
        .read(Place(root: "self", member: "Account.state")), .read(Place(root: "self", member: "Account.state.isOpen")),
        .branch(Origins(members: [-2, 1])),
      ])
  }

  @Test("a comment behind the scope is no part of the place") func trailingComment() throws {
    let function = try read(
      prologue + """
          // function_ref fetch()
          %4 = function_ref @fetch : $@convention(thin) () -> (), loc "/p/A.swift":16:5, scope 1
          %5 = apply %4() : $@convention(thin) () -> (), loc "/p/A.swift":16:5, scope 1 // type-defs: %15
          return %5
        """)
    #expect(function.events.first?.location.line == 16)
  }

  @Test("a store through an access is one write, with what it depends on and its literal") func write() throws {
    let function = try read(
      prologue + """
          %5 = integer_literal $Builtin.Int1, -1, loc "/p/A.swift":13:5, scope 1
          %6 = struct $Bool (%5), loc "/p/A.swift":13:5, scope 1
          %7 = ref_element_addr %1, #Account.isBusy, loc "/p/A.swift":13:5, scope 1
          %8 = begin_access [modify] [dynamic] %7, loc "/p/A.swift":13:5, scope 1
          store %6 to %8, loc "/p/A.swift":13:5, scope 1
          end_access %8, loc "/p/A.swift":13:9, scope 1
          %11 = ref_element_addr %1, #Account.balance, loc "/p/A.swift":14:5, scope 1
          %12 = begin_access [modify] [dynamic] %11, loc "/p/A.swift":14:5, scope 1
          store %0 to %12, loc "/p/A.swift":14:5, scope 1
          end_access %12, loc "/p/A.swift":14:5, scope 1
          return %0
        """)
    let writes = function.events.compactMap { event -> Write? in
      if case .write(let write) = event.kind { return write }
      return nil
    }
    #expect(writes.count == 2)
    #expect(writes[0].literal == "true")
    #expect(writes[0].origins.isEmpty)
    #expect(writes[1].place.member == "Account.balance")
    #expect(writes[1].origins == Origins(parameter: 0))
    #expect(!writes[1].isPartial)
  }

  @Test("an awaited call and a call on another actor both suspend, and say where they run") func calls() throws {
    let function = try read(
      prologue + """
          // function_ref static MainActor.shared.getter
          %4 = function_ref @$sScM6sharedScMvgZ : $@convention(method) (@thick MainActor.Type) -> @owned MainActor, loc "/p/A.swift":15:5, scope 1
          %5 = apply %4(%0) : $@convention(method) (@thick MainActor.Type) -> @owned MainActor, loc "/p/A.swift":15:5, scope 1
          hop_to_executor %5, loc "/p/A.swift":15:5, scope 1
          // function_ref show(_:)
          %7 = function_ref @show : $@convention(thin) (Int) -> (), loc "/p/A.swift":15:5, scope 1
          %8 = apply %7(%0) : $@convention(thin) (Int) -> (), loc "/p/A.swift":15:5, scope 1
          hop_to_executor %1, loc "/p/A.swift":15:5, scope 1
          // function_ref Account.fraud()
          %10 = function_ref @fraud : $@convention(method) @async (@sil_isolated @guaranteed Account) -> Bool, loc "/p/A.swift":16:5, scope 1
          %11 = apply %10(%1) : $@convention(method) @async (@sil_isolated @guaranteed Account) -> Bool, loc "/p/A.swift":16:5, scope 1
          return %11
        """)
    let calls = function.events.indices.compactMap { function.call(at: $0) }
    #expect(calls.map(\.display) == ["static MainActor.shared.getter", "show(_:)", "Account.fraud()"])
    #expect(calls.map(\.executor) == [.own, .globalActor("MainActor"), .own])
    #expect(calls.map(\.isAsync) == [false, false, true])
    #expect(calls[2].receiverRoot == "self")
    #expect(calls.map(\.suspends) == [false, true, true])
  }

  @Test("a throwing call goes on in two blocks, and its result arrives in the first") func tryApply() throws {
    let function = try read(
      prologue + """
          // function_ref fetch()
          %4 = function_ref @fetch : $@convention(thin) @async () -> (Int, @error any Error), loc "/p/A.swift":16:5, scope 1
          try_apply %4() : $@convention(thin) @async () -> (Int, @error any Error), normal bb1, error bb2, loc "/p/A.swift":16:5, scope 1

        bb1(%6 : $Int):
          %7 = ref_element_addr %1, #Account.balance, loc "/p/A.swift":17:5, scope 1
          store %6 to %7, loc "/p/A.swift":17:5, scope 1
          return %6

        bb2(%10 : $any Error):
          throw %10
        """)
    #expect(function.blocks[0].successors == [1, 2])
    let write = function.events.indices.compactMap { function.write(at: $0) }.first
    #expect(write?.origins == Origins(event: 0))
  }

  @Test("a closure is an argument with its captures, and says whether it escapes") func closures() throws {
    let function = try read(
      prologue + """
          // function_ref closure #1 in Account.pay(_:)
          %4 = function_ref @inner : $@convention(thin) (@guaranteed Account) -> (), loc "/p/A.swift":16:5, scope 1
          %5 = partial_apply [callee_guaranteed] [on_stack] %4(%1) : $@convention(thin) (@guaranteed Account) -> (), loc "/p/A.swift":16:5, scope 1
          %6 = partial_apply [callee_guaranteed] %4(%1) : $@convention(thin) (@guaranteed Account) -> (), loc "/p/A.swift":16:5, scope 1
          // function_ref run(_:_:)
          %7 = function_ref @run : $@convention(thin) (@guaranteed @noescape @callee_guaranteed () -> (), @guaranteed @callee_guaranteed () -> ()) -> (), loc "/p/A.swift":16:5, scope 1
          %8 = apply %7(%5, %6) : $@convention(thin) (@guaranteed @noescape @callee_guaranteed () -> (), @guaranteed @callee_guaranteed () -> ()) -> (), loc "/p/A.swift":16:5, scope 1
          return %8
        """)
    let call = try #require(function.call(at: 0))
    #expect(call.arguments.map { $0.closure.first?.escapes } == [false, true])
    #expect(call.arguments[0].closure.first?.captures.first?.root == "self")
  }

  @Test("method and requirement keys are the same in calls and in tables") func keys() throws {
    let text =
      sil(
        prologue + """
            %4 = class_method %1, #Account.fee : (Account) -> (Int) -> Int, $@convention(method) (Int, @guaranteed Account) -> Int, loc "/p/A.swift":16:5, scope 1
            %5 = apply %4(%0, %1) : $@convention(method) (Int, @guaranteed Account) -> Int, loc "/p/A.swift":16:5, scope 1
            %6 = witness_method $T, #Bank.open : <Self where Self : Bank> (Self) -> () -> () : $@convention(witness_method: Bank) <τ_0_0 where τ_0_0 : Bank> (@in_guaranteed τ_0_0) -> (), loc "/p/A.swift":17:5, scope 1
            %7 = apply %6<T>(%1) : $@convention(witness_method: Bank) <τ_0_0 where τ_0_0 : Bank> (@in_guaranteed τ_0_0) -> (), loc "/p/A.swift":17:5, scope 1
            return %7
          """) + """

        sil_vtable Account {
          #Account.fee: (Account) -> (Int) -> Int : @fee\t// Account.fee(_:)
        }

        sil_witness_table hidden <T> Vault<T>: Bank module App {
          method #Bank.open: <Self where Self : Bank> (Self) -> () -> () : @openWitness\t// protocol witness
        }

        """
    let facts = try SILReader.read(text, module: "App")
    let function = try #require(facts.functions.first)
    #expect(function.call(at: 0)?.callee == .method(facts.methods[0].key))
    #expect(function.call(at: 1)?.callee == .witness(facts.witnesses[0].key))
    #expect(facts.methods[0].function == "fee")
    #expect(facts.types == [TypeFacts(name: "Vault", module: "App", conformances: ["Bank"])])
  }

  @Test("code that a macro wrote stands where the macro was used") func macroScopes() throws {
    let text = """
      sil_stage canonical

      sil_scope 1 { loc "/p/A.swift":3:1 parent @f : $@convention(thin) () -> () }
      sil_scope 2 { loc "@__swiftmacro_x.swift":1:1 parent 1 inlined_at 3 }
      sil_scope 3 { loc "/p/A.swift":4:7 parent 1 }
      // f(), loc "/p/A.swift":3:1, scope 1
      // Isolation: nonisolated
      sil @f : $@convention(thin) () -> () {
      bb0:
        // function_ref g()
        %0 = function_ref @g : $@convention(thin) () -> (), loc "@__swiftmacro_x.swift":1:1, scope 2
        %1 = apply %0() : $@convention(thin) () -> (), loc "@__swiftmacro_x.swift":1:1, scope 2
        return %1
      } // end sil function 'f'

      """
    let function = try #require(try SILReader.read(text, module: "App").functions.first)
    #expect(function.events.first?.location == SourceLocation(file: "/p/A.swift", line: 4, column: 7))
  }

  @Test("isolation of a declaration is known although it has no body") func declarations() throws {
    let text = """
      sil_stage canonical

      // Store.get()
      // Isolation: actor_instance. name: 'self'
      sil @get : $@convention(method) (@sil_isolated @guaranteed Store) -> Int

      """
    let facts = try SILReader.read(text, module: "App")
    #expect(facts.imported == [ImportedFunction(name: "get", display: "Store.get()", isolation: .selfActor)])
    #expect(facts.functions.isEmpty)
  }

  @Test("an unknown instruction is reported, and the graph stays connected") func unknownInstruction() throws {
    let text = sil(
      prologue + """
          %4 = warp_value %0, loc "/p/A.swift":16:5, scope 1
          maybe_br %4, bb1, loc "/p/A.swift":16:5, scope 1

        bb1:
          return %4
        """)
    let facts = try SILReader.read(text, module: "App")
    #expect(facts.unknown == ["instruction 'maybe_br'", "instruction 'warp_value'"])
    #expect(facts.functions.first?.blocks.first?.successors == [1])
  }

  @Test("text that is not canonical SIL is refused") func notSIL() {
    #expect(throws: SILReader.Failure.self) { try SILReader.read("", module: "App") }
    #expect(throws: SILReader.Failure.self) { try SILReader.read("sil_stage raw\n", module: "App") }
  }

  @Test("damaged text never stops the reader", arguments: 0..<40) func damaged(_ seed: Int) throws {
    var bytes = Array(
      sil(
        prologue + """
            // function_ref fetch()
            %4 = function_ref @fetch : $@convention(thin) @async () -> (Int, @error any Error), loc "/p/A.swift":16:5, scope 1
            try_apply %4() : $@convention(thin) @async () -> (Int, @error any Error), normal bb1, error bb2, loc "/p/A.swift":16:5, scope 1

          bb1(%6 : $Int):
            %7 = ref_element_addr %1, #Account.balance, loc "/p/A.swift":17:5, scope 1
            store %6 to %7, loc "/p/A.swift":17:5, scope 1
            return %6

          bb2(%10 : $any Error):
            throw %10
          """
      ).utf8)
    var generator = SplitMix(state: UInt64(seed) &* 7_919 &+ 1)
    for _ in 0..<(1 + seed) {
      let at = 20 + Int(generator.next() % UInt64(bytes.count - 20))
      switch generator.next() % 3 {
      case 0: bytes[at] = UInt8(truncatingIfNeeded: generator.next())
      case 1: bytes.remove(at: at)
      default: bytes.insert(contentsOf: Array("%9999999999 bb7 \"".utf8), at: at)
      }
    }
    let facts = try bytes.withUnsafeBytes { try SILReader.read($0, module: "App") }
    for function in facts.functions {
      #expect(function.blocks.allSatisfy { $0.successors.allSatisfy { function.blocks.indices.contains($0) } })
      #expect(function.blocks.allSatisfy { $0.events.upperBound <= function.events.count })
    }
  }
}

/// A small generator of repeatable numbers.
struct SplitMix {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
