/// Reads modules that no compiler can read here: what the source alone says, with low confidence.
import Foundation
import MainstayFindings
import SwiftParser
import SwiftSyntax

struct SyntaxFrontend: Frontend {
  /// How many files are read at a time.
  var width = 1

  func read(_ module: SourceModule) throws -> [FileFacts] {
    let sources = module.sources
    let trees = ConcurrentMap.results(of: sources.count, width: width) { number -> ParsedFile? in
      guard let text = try? String(contentsOfFile: sources[number], encoding: .utf8) else { return nil }
      return ParsedFile(file: sources[number], tree: Parser.parse(source: text))
    }.compactMap(\.self)
    if trees.isEmpty { throw FrontendFailure(reason: "none of its sources can be read") }
    let index = Self.index(of: trees, in: module)
    // The module's types are in the facts of one file: those of the others would only repeat them.
    var files = ConcurrentMap.results(of: trees.count, width: width) { number in
      let collector = SyntaxBodyCollector(file: trees[number].file, tree: trees[number].tree, index: index)
      collector.walk(trees[number].tree)
      var facts = FileFacts()
      facts.functions = collector.functions
      return facts
    }
    files[0].types = index.types.sorted { $0.key < $1.key }.map {
      TypeFacts(name: $0.key, module: module.name, conformances: $0.value.inherited)
    }
    return files
  }

  private struct ParsedFile: Sendable {
    var file: String
    var tree: SourceFileSyntax
  }

  private static func index(of trees: [ParsedFile], in module: SourceModule) -> SyntaxModuleIndex {
    let fallback: Isolation = module.defaultIsolation == "MainActor" ? .mainActor : .nonisolated
    var index = SyntaxModuleIndex(module: module.name, fallback: fallback)
    // Twice: the second pass knows every type's isolation, wherever it was declared.
    for _ in 0..<2 {
      for type in index.types.keys { index.types[type]?.methods = [:] }
      index.functions = [:]
      let indexer = SyntaxIndexer(index)
      for parsed in trees { indexer.walk(parsed.tree) }
      index = indexer.index
    }
    return index
  }
}

/// Finds the bodies of one file and lowers each.
private final class SyntaxBodyCollector: SyntaxVisitor {
  private(set) var functions: [FunctionFacts] = []
  private let file: String
  private let converter: SourceLocationConverter
  private let index: SyntaxModuleIndex
  private var open: [String] = []

  init(file: String, tree: SourceFileSyntax, index: SyntaxModuleIndex) {
    self.file = file
    self.index = index
    converter = SourceLocationConverter(fileName: file, tree: tree)
    super.init(viewMode: .sourceAccurate)
  }

  private var type: String? { open.isEmpty ? nil : open.joined(separator: ".") }

  private func push(_ name: String) -> SyntaxVisitorContinueKind {
    open.append(name)
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { push(node.name.text) }
  override func visitPost(_ node: ClassDeclSyntax) { open.removeLast() }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { push(node.name.text) }
  override func visitPost(_ node: StructDeclSyntax) { open.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { push(node.name.text) }
  override func visitPost(_ node: EnumDeclSyntax) { open.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { push(node.name.text) }
  override func visitPost(_ node: ActorDeclSyntax) { open.removeLast() }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    push(node.extendedType.trimmedDescription)
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { open.removeLast() }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let body = node.body else { return .skipChildren }
    let isAsync = node.signature.effectSpecifiers?.asyncSpecifier != nil
    let display = SyntaxModuleIndex.display(type, node.name.text, node.signature.parameterClause)
    lower(
      body.statements, display: display, isAsync: isAsync,
      isolation: index.stated(node.attributes, node.modifiers, isAsync: isAsync), at: Syntax(node.name),
      parameters: parameters(node.signature.parameterClause))
    return .skipChildren
  }

  private func parameters(_ clause: FunctionParameterClauseSyntax) -> [(name: String, type: String)] {
    clause.parameters.map { (($0.secondName ?? $0.firstName).text, $0.type.trimmedDescription) }
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let body = node.body else { return .skipChildren }
    let isAsync = node.signature.effectSpecifiers?.asyncSpecifier != nil
    lower(
      body.statements, display: SyntaxModuleIndex.display(type, "init", node.signature.parameterClause),
      isAsync: isAsync, isolation: index.stated(node.attributes, node.modifiers, isAsync: isAsync),
      at: Syntax(node.initKeyword), flags: .isInitializer,
      parameters: parameters(node.signature.parameterClause))
    return .skipChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    for binding in node.bindings {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
        let accessors = binding.accessorBlock?.accessors
      else { continue }
      let isolation = index.stated(node.attributes, node.modifiers, isAsync: false)
      let prefix = (type.map { $0 + "." } ?? "") + name
      switch accessors {
      case .getter(let statements):
        lower(
          statements, display: prefix + ".getter", isAsync: false, isolation: isolation, at: Syntax(binding.pattern))
      case .accessors(let list):
        for accessor in list {
          guard let body = accessor.body else { continue }
          let kind =
            accessor.accessorSpecifier.text == "get"
            ? "getter" : accessor.accessorSpecifier.text == "set" ? "setter" : accessor.accessorSpecifier.text
          lower(
            body.statements, display: "\(prefix).\(kind)", isAsync: false, isolation: isolation,
            at: Syntax(accessor.accessorSpecifier))
        }
      @unknown default: break
      }
    }
    return .skipChildren
  }

  private func lower(
    _ statements: CodeBlockItemListSyntax, display: String, isAsync: Bool, isolation: Isolation?, at node: Syntax,
    flags: FunctionFacts.Flags = [], parameters: [(name: String, type: String)] = []
  ) {
    let place = converter.location(for: node.positionAfterSkippingLeadingTrivia)
    var flags = flags
    if isAsync { flags.insert(.isAsync) }
    let function = FunctionFacts(
      name: "source:\(index.module).\(display)", display: display, module: index.module,
      location: .init(file: file, line: place.line, column: place.column),
      isolation: isolation ?? type.flatMap { index.isolation(ofType: $0) } ?? index.fallback, flags: flags,
      parameters: parameters.map { .init(name: $0.name, isCapture: false) } + [.init(name: "self", isCapture: false)],
      blocks: [], events: [], source: .syntax)
    let lowering = SyntaxLowering(function, type: type, index: index, converter: converter)
    for parameter in parameters { lowering.setType(parameter.type, of: parameter.name) }
    lowering.lower(statements)
    functions += lowering.finish()
  }
}
