/// Golden tests of the SIL reader: functions that are kept in members and called from there, child tasks, negation.
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct SILClosureTests {
  private func function(
    _ display: String, _ parameters: String, _ body: String, isolation: String = "nonisolated"
  ) throws -> FunctionFacts {
    let text = """
      sil_stage canonical

      // \(display), loc "/p/A.swift":3:3, scope 1
      // Isolation: \(isolation)
      sil @f : $@convention(method) (\(parameters)) -> () {
      \(body)
      } // end sil function 'f'

      """
    return try #require(try SILReader.read(text, module: "App").functions.first)
  }

  @Test("a parameter that is stored is kept in the member") func storedParameter() throws {
    let function = try function(
      "Album.init(render:)", "@owned @callee_guaranteed () -> (), @owned Album",
      """
      bb0(%0 : $@callee_guaranteed () -> (), %1 : $Album):
        debug_value %0, let, name "render", argno 1, loc "/p/A.swift":3:8, scope 1
        %3 = ref_element_addr %1, #Album.render, loc "/p/A.swift":3:56, scope 1
        store %0 to %3, loc "/p/A.swift":3:56, scope 1
        return %1, loc "/p/A.swift":3:65, scope 1
      """)
    #expect(function.keptClosures == [.init(member: "Album.render", origin: .parameter(0))])
  }

  @Test("a memberwise initialiser keeps functions under its labels, and nothing else") func memberwise() throws {
    let function = try function(
      "Client.init(name:fetch:)", "@owned String, @owned @callee_guaranteed () -> (), @thin Client.Type",
      """
      bb0(%0 : $String, %1 : $@callee_guaranteed () -> (), %2 : $@thin Client.Type):
        %3 = struct $Client (%0, %1), loc * "/p/A.swift":3:8, scope 1
        return %3, loc * "/p/A.swift":3:8, scope 1
      """)
    #expect(function.keptClosures == [.init(member: "Client.fetch", origin: .parameter(1))])
  }

  @Test("a closure that is made and stored is kept, and one that is called from a member is named by it")
  func keptAndCalled() throws {
    let function = try function(
      "Album.swap()", "@guaranteed Album",
      """
      bb0(%0 : $Album):
        debug_value %0, let, name "self", argno 1, loc "/p/A.swift":3:3, scope 1
        // function_ref closure #1 in Album.swap()
        %2 = function_ref @closure : $@convention(thin) (@guaranteed Album) -> (), loc "/p/A.swift":4:5, scope 1
        %3 = partial_apply [callee_guaranteed] %2(%0) : $@convention(thin) (@guaranteed Album) -> (), loc "/p/A.swift":4:5, scope 1
        %4 = ref_element_addr %0, #Album.render, loc "/p/A.swift":4:5, scope 1
        %5 = begin_access [modify] [dynamic] %4, loc "/p/A.swift":4:5, scope 1
        store %3 to %5, loc "/p/A.swift":4:5, scope 1
        end_access %5, loc "/p/A.swift":4:5, scope 1
        %8 = ref_element_addr %0, #Album.after, loc "/p/A.swift":5:5, scope 1
        %9 = load %8, loc "/p/A.swift":5:5, scope 1
        %10 = apply %9() : $@callee_guaranteed () -> (), loc "/p/A.swift":5:5, scope 1
        return %10, loc "/p/A.swift":6:3, scope 1
      """)
    #expect(function.keptClosures == [.init(member: "Album.render", origin: .closure("closure"))])
    let calls = function.events.indices.compactMap { function.call(at: $0) }
    #expect(calls.map(\.callee) == [.member("Album.after")])
  }

  @Test("what a child task made comes out of its buffer") func childTask() throws {
    let function = try function(
      "Model.load()", "@guaranteed Model",
      """
      bb0(%0 : $Model):
        debug_value %0, let, name "self", argno 1, loc "/p/A.swift":3:3, scope 1
        %2 = alloc_stack $Int, loc "/p/A.swift":4:5, scope 1
        %3 = address_to_pointer %2 : $*Int to $Builtin.RawPointer, loc "/p/A.swift":4:5, scope 1
        // function_ref swift_asyncLet_get
        %4 = function_ref @swift_asyncLet_get : $@convention(thin) @async (Builtin.RawPointer, Builtin.RawPointer) -> (), loc "/p/A.swift":5:5, scope 1
        %5 = apply %4(%3, %3) : $@convention(thin) @async (Builtin.RawPointer, Builtin.RawPointer) -> (), loc "/p/A.swift":5:5, scope 1
        %6 = load %2, loc "/p/A.swift":5:5, scope 1
        %7 = ref_element_addr %0, #Model.count, loc "/p/A.swift":5:5, scope 1
        store %6 to %7, loc "/p/A.swift":5:5, scope 1
        return %5, loc "/p/A.swift":6:3, scope 1
      """)
    let get = try #require(function.events.indices.first { function.suspends($0) })
    let write = try #require(function.events.indices.compactMap { function.write(at: $0) }.first)
    #expect(write.origins.contains(event: get))
  }

  @Test("a negated flag is written as a whole, with a literal of its own") func negation() throws {
    let function = try function(
      "Model.flip()", "@guaranteed Model",
      """
      bb0(%0 : $Model):
        debug_value %0, let, name "self", argno 1, loc "/p/A.swift":3:3, scope 1
        %2 = ref_element_addr %0, #Model.isOn, loc "/p/A.swift":4:5, scope 1
        %3 = begin_access [modify] [dynamic] %2, loc "/p/A.swift":4:5, scope 1
        // function_ref Bool.toggle()
        %4 = function_ref @$sSb6toggleyyF : $@convention(method) (@inout Bool) -> (), loc "/p/A.swift":4:10, scope 1
        %5 = apply %4(%3) : $@convention(method) (@inout Bool) -> (), loc "/p/A.swift":4:10, scope 1
        end_access %3, loc "/p/A.swift":4:10, scope 1
        return %5, loc "/p/A.swift":5:3, scope 1
      """)
    let write = try #require(function.events.indices.compactMap { function.write(at: $0) }.first)
    #expect(write.literal == "!" && !write.isPartial)
  }

  @Test("an isolated parameter of the main actor is the main actor") func isolatedToMain() throws {
    let function = try function(
      "show(_:)", "@sil_isolated @guaranteed MainActor",
      """
      bb0(%0 : $MainActor):
        debug_value %0, let, name "actor", argno 1, loc "/p/A.swift":3:3, scope 1
        hop_to_executor %0, loc "/p/A.swift":3:3, scope 1
        %3 = tuple (), loc "/p/A.swift":4:3, scope 1
        return %3, loc "/p/A.swift":4:3, scope 1
      """, isolation: "actor_instance. name: 'actor'")
    #expect(function.isolation == .mainActor)
  }
}
