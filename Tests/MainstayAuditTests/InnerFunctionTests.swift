/// What the spelling of a function inside another says.
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct InnerFunctionTests {
  @Test(
    "only the kinds that are asked for are taken off, as many as stand in front",
    arguments: [
      ("closure #1 in closure #2 in Form.tap()", InnerFunction.closure, "Form.tap()"),
      ("closure #1 in implicit closure #2 in Form.tap()", .closure, "implicit closure #2 in Form.tap()"),
      ("implicit closure #1 in static App.main()", .autoclosure, "static App.main()"),
      ("closure #1 in static App.main()", .autoclosure, "closure #1 in static App.main()"),
      ("$defer #1 () in closure #1 in Form.tap()", .any, "Form.tap()"),
      ("default argument 0 of f(_:) #1 in Form.tap()", .any, "Form.tap()"),
      ("helper() in Form.tap()", .any, "helper() in Form.tap()"), ("closure #1", .any, "closure #1"),
      ("closure #1 in helper() in Form.tap()", .any, "helper() in Form.tap()"),
    ])
  func outer(_ display: String, _ kinds: InnerFunction, _ outer: String) {
    #expect(InnerFunction.outer(display, through: kinds) == outer)
  }

  @Test("the function directly around is the next one, named or not") func around() {
    #expect(InnerFunction.around("closure #1 in closure #2 in f()") == "closure #2 in f()")
    #expect(InnerFunction.around("helper() in f()") == "f()")
    #expect(InnerFunction.around("f()") == nil)
  }

  @Test("what makes a program's entry, or its type, is seen through what stands inside it") func users() {
    func facts(_ display: String) -> FunctionFacts {
      FunctionFacts(
        name: "s", display: display, module: "App", location: .init(file: "A.swift", line: 1, column: 1),
        isolation: .nonisolated, flags: [], parameters: [], blocks: [], events: [], source: .compiler)
    }
    #expect(facts("implicit closure #1 in static App.main()").isEntry)
    #expect(!facts("closure #1 in static App.main()").isEntry)
    #expect(Program.enclosingType("implicit closure #1 in $defer #1 () in static App.Part.run()") == "App.Part")
  }
}
