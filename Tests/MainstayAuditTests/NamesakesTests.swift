/// Which module's type a name means, where several modules declare one of that name.
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct NamesakesTests {
  private func source(_ module: String, _ types: [String], imports: [String] = [], extended: [String] = [])
    -> SourceFacts
  {
    var facts = SourceFacts()
    facts.file = "/p/\(module).swift"
    facts.module = module
    facts.imports = imports
    facts.types = (types.map { ($0, TypeDeclaration.Kind.struct) } + extended.map { ($0, .extension) }).map {
      TypeDeclaration(
        name: $0.0, kind: $0.1, attributes: [], modifiers: [], inherited: [], members: [], comment: "",
        location: SourceLocation(file: facts.file, line: 1, column: 1), outer: nil, isLocal: false)
    }
    return facts
  }

  private var sources: [SourceFacts] {
    [
      source("Core", ["Client", "Client.Row", "Store"]), source("Net", ["Client", "Client.Row"]),
      source("App", ["Client", "Client.Row"], imports: ["Core", "Foundation"]),
      source("Middle", [], imports: ["Core"], extended: ["Client"]), source("Far", [], imports: ["Middle"]),
      source("Both", [], imports: ["Core", "Net"]), source("Alone", []),
    ]
  }

  @Test("a name means the module's own type, or that of the nearest module that it imports") func homes() {
    let names = Namesakes(sources)
    #expect(names.home(of: "Client", in: "App") == "App")
    #expect(names.home(of: "Client", in: "Middle") == "Core", "an extension declares no type")
    #expect(names.home(of: "Client", in: "Far") == "Core")
    #expect(names.home(of: "Client", in: "Both") == nil && names.home(of: "Client", in: "Alone") == nil)
    #expect(names.home(of: "Store", in: "Core") == nil, "one module has it: nothing is shared")
    let index = DeclarationIndex(sources)
    #expect(index.type("Client", in: "Far")?.module == "Core")
    #expect(index.type("Store", in: "App")?.module == "Core")
  }

  @Test("keys name the module where a type has namesakes, and nothing else where it has none") func keys() {
    let names = Namesakes(sources)
    #expect(names.key("Client.fetch", in: "Far") == "Core/Client.fetch")
    #expect(
      names.key("#Client.Row.read!1: (Client.Row) -> ()", in: "App") == "App/#Client.Row.read!1: (Client.Row) -> ()")
    #expect(names.key("Store.count", in: "App") == "Store.count")
    #expect(names.key("Clients.fetch", in: "App") == "Clients.fetch")
    #expect(names.key("Client.fetch", in: "Both") == "Client.fetch", "what cannot be told apart is asked of all")
    #expect(names.keys("Client.fetch", in: "App") == ["App/Client.fetch", "Client.fetch"])
    #expect(Namesakes(Array(sources.prefix(1))).isEmpty)
  }
}
