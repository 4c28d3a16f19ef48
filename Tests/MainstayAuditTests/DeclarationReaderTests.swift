/// What is read of a file's declarations: which systems' clauses, and which words.
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct DeclarationReaderTests {
  private static let text = """
    #if canImport(Darwin)
    nonisolated(unsafe) var elsewhere = 0
    #elseif os(Linux) && !os(Windows)
    nonisolated(unsafe) var here = 0
    #else
    nonisolated(unsafe) var nowhere = 0
    #endif
    #if DEBUG
    nonisolated(unsafe) var sometimes = 0
    #else
    nonisolated(unsafe) var otherwise = 0
    #endif
    """

  @Test("what other systems compile is left out of a file that was compiled here")
  func otherSystems() {
    let facts = DeclarationReader.readCompiled(text: Self.text, file: "A.swift")
    #expect(facts.silencers.map(\.function) == ["here", "sometimes", "otherwise"])
  }

  @Test(
    "conditions join as the compiler joins them",
    arguments: [
      ("os(macOS) || os(Linux)", true), ("os(macOS) || canImport(Glibc) && os(Linux)", true),
      ("(os(macOS) || os(iOS)) && DEBUG", false), ("!canImport(WinSDK)", true), ("canImport(SwiftUI)", true),
      ("os(Linux) && DEBUG", true), ("!(os(Linux) || DEBUG)", false),
    ])
  func conditions(_ condition: String, isRead: Bool) {
    let text = "#if \(condition)\nnonisolated(unsafe) var value = 0\n#endif\n"
    let facts = DeclarationReader.readCompiled(text: text, file: "A.swift")
    #expect(facts.silencers.isEmpty != isRead)
  }

  @Test("a variable left unchecked is read with its type and value")
  func variables() throws {
    let text = "nonisolated(unsafe) let box: Box? = store.take()\nnonisolated(unsafe) var count = 1\n"
    let variables = DeclarationReader.readCompiled(text: text, file: "A.swift").silencers.map(\.variable)
    #expect(
      variables == [
        Silencer.Variable(isConstant: true, type: "Box?", value: "store.take()"),
        Silencer.Variable(isConstant: false, type: "", value: "1"),
      ])
  }

  @Test("what a view gives to controls is read with what locks them, and with the argument that takes it")
  func bound() {
    let text = """
      struct Form: View {
        var body: some View {
          VStack { Toggle("a", isOn: $model.isOn) }.disabled(model.isSaving || isBusy)
          if isLoading { Spinner() } else { TextField("b", text: $name) }
          Row(loadingState: state) { Stepper("c", value: self.$count) }
          Field($free).disabled(!isOpen)
          List(model.$rows, rows.map { $0 })
        }
      }
      """
    let bound = DeclarationReader.readCompiled(text: text, file: "A.swift").bound
    #expect(
      bound == [
        BoundMember(type: "Form", path: "model.isOn", locks: ["model.isSaving", "isBusy"], given: "Toggle.isOn"),
        BoundMember(type: "Form", path: "name", locks: ["isLoading"], given: "TextField.text"),
        BoundMember(type: "Form", path: "count", locks: ["state"], given: "Stepper.value"),
        BoundMember(type: "Form", path: "free", locks: [], given: "Field._"),
      ])
  }

  @Test("the words about a block for the main queue stand above it, on its line or first in it")
  func mainQueueBlocks() {
    let text = """
      func f() {
        // Above it.
        DispatchQueue.main.async { a() }
        DispatchQueue.main.async {  // On its line.
          b()
        }
        DispatchQueue.main.async { [weak self] in
          // First in it.
          c()
        }
        // Too far above.

        DispatchQueue.main.async { d() }
        // Another queue.
        DispatchQueue.global().async { e() }
      }
      """
    let blocks = DeclarationReader.readCompiled(text: text, file: "A.swift").mainQueueBlocks
    #expect(blocks.map(\.comment) == ["Above it.", "On its line.", "First in it."])
    #expect(blocks.map(\.location.line) == [3, 4, 7])
  }

  @Test(
    "a discipline is who alone may touch it; a promise alone is none",
    arguments: [
      ("Sendable because its one owner makes every call", true), ("It is only touched on the writer's queue", true),
      ("@unchecked Sendable: copy-on-write before each change", true), ("This class is thread-safe", false),
      ("This class is NOT thread safe, it must be serialised by callers", false),
      ("The lock protects everything in here", false), ("TODO: only the actor may use this", false),
    ])
  func disciplines(_ comment: String, isOne: Bool) {
    #expect(StatedInvariant.namesDiscipline(comment) == isOne)
  }

  @Test("a comment among the members that is about sharing is the type's, also when a line of blanks follows it")
  func promisesAmongMembers() {
    let text = """
      final class Observer: @unchecked Sendable {
        // MARK: - State
        //
        // Made thread-safe: the state is only accessed from the writer's queue.
          \n  /// How often.
        private var count = 0
      }
      """
    let facts = DeclarationReader.readCompiled(text: text, file: "A.swift")
    #expect(facts.types.map { StatedInvariant.namesDiscipline($0.comment) } == [true])
  }
}
