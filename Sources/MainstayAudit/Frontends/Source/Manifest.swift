/// What a package's manifest says of its targets, as far as its text says it without being run.
import SwiftParser
import SwiftSyntax

struct Manifest: Sendable, Hashable {
  enum Kind: Sendable, Hashable { case regular, test, plugin }

  struct Target: Sendable, Hashable {
    var name: String
    var kind: Kind
    /// The folder that holds its sources, when the manifest names one.
    var path: String?
    /// The only files and folders in it that are sources; all when nil.
    var sources: [String]?
    /// What is no source of it on any system.
    var excluded: [String]
    var settings: ManifestSettings
  }

  var targets: [Target] = []

  /// `Package.swift`, and those for one version of the language: `Package@swift-6.2.swift`.
  static func isName(_ name: String) -> Bool {
    name == "Package.swift" || name.hasPrefix("Package@swift-") && name.hasSuffix(".swift")
  }

  /// Of the manifests of a package, the newest that the newest toolchain known here understands.
  static func current(of texts: [String]) -> String? {
    let newest = SILDialect.supportedVersions.map { parts($0) }.max { $0.lexicographicallyPrecedes($1) } ?? []
    let understood = texts.filter { text in
      toolsVersion(text).map { !newest.lexicographicallyPrecedes($0.prefix(newest.count)) } ?? true
    }
    return (understood.isEmpty ? texts : understood).max {
      (toolsVersion($0) ?? []).lexicographicallyPrecedes(toolsVersion($1) ?? [])
    }
  }

  /// `// swift-tools-version: 6.2` as its numbers.
  private static func toolsVersion(_ text: String) -> [Int]? {
    guard let range = text.prefix(400).firstRange(of: "swift-tools-version:") else { return nil }
    return parts(text[range.upperBound...].drop { $0 == " " }.prefix { $0.isNumber || $0 == "." })
  }

  private static func parts(_ version: some StringProtocol) -> [Int] {
    version.split(separator: ".").compactMap { Int($0) }
  }

  static func read(_ text: String) -> Manifest {
    SourceTree.parse(text) { tree in
      let reader = ManifestReader(viewMode: .sourceAccurate)
      reader.walk(tree)
      return Manifest(targets: reader.targets)
    }
  }
}

/// What a manifest says about one target's isolation.
struct ManifestSettings: Sendable, Hashable {
  var isMainActorDefault = false
  var isNonsendingByDefault = false
}

/// Collects calls that make targets, and the constants and functions that their arguments name.
private final class ManifestReader: SyntaxVisitor {
  private struct Call {
    var node: FunctionCallExprSyntax
    var kind: Manifest.Kind
    var isForOtherSystems: Bool
  }

  private var calls: [Call] = []
  /// Values by name. Where systems differ there are several: this one's come first.
  private var constants: [String: [ExprSyntax]] = [:]
  /// The text of everything that settings may name.
  private var texts: [String: String] = [:]
  /// What is said of all targets at once: `for target in package.targets { … }`.
  private var common = ""
  private var otherSystems = 0

  private static let kinds: [String: Manifest.Kind] = [
    "target": .regular, "executableTarget": .regular, "macro": .regular, "testTarget": .test, "plugin": .plugin,
  ]

  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    if SystemCondition.isForOtherSystems(node) { otherSystems += 1 }
    return .visitChildren
  }

  override func visitPost(_ node: IfConfigClauseSyntax) {
    if SystemCondition.isForOtherSystems(node) { otherSystems -= 1 }
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    for binding in node.bindings {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
      texts[name, default: ""] += binding.initializer?.value.description ?? binding.accessorBlock?.description ?? ""
      guard let value = binding.initializer?.value else { continue }
      constants[name, default: []].insert(value, at: otherSystems > 0 ? constants[name]?.count ?? 0 : 0)
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    texts[node.name.text, default: ""] += node.body?.description ?? ""
    return .visitChildren
  }

  override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
    if node.sequence.trimmedDescription.hasSuffix("targets") { common += node.body.description }
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let callee = node.calledExpression.as(MemberAccessExprSyntax.self) else { return .visitChildren }
    let base = callee.base?.trimmedDescription ?? ""
    if base.hasSuffix("targets"), ["forEach", "map"].contains(callee.declName.baseName.text) {
      common += node.description
    }
    guard let kind = ManifestReader.kinds[callee.declName.baseName.text], base.isEmpty || base == "Target" else {
      return .visitChildren
    }
    calls.append(Call(node: node, kind: kind, isForOtherSystems: otherSystems > 0))
    // Dependencies within are spelled like targets.
    return .skipChildren
  }

  /// Each target once: what is for other systems only where this one has none of the name.
  var targets: [Manifest.Target] {
    var found: [String: Manifest.Target] = [:]
    for call in calls.filter({ !$0.isForOtherSystems }) + calls.filter(\.isForOtherSystems) {
      guard let name = argument("name", of: call.node).flatMap({ string($0) }), found[name] == nil else { continue }
      found[name] = Manifest.Target(
        name: name, kind: call.kind, path: argument("path", of: call.node).flatMap { string($0) },
        sources: argument("sources", of: call.node).flatMap { strings($0) },
        excluded: argument("exclude", of: call.node).map { everywhere($0).sorted() } ?? [],
        settings: settings(argument("swiftSettings", of: call.node)))
    }
    return found.values.sorted { $0.name < $1.name }
  }

  private func argument(_ label: String, of call: FunctionCallExprSyntax) -> ExprSyntax? {
    call.arguments.first { $0.label?.text == label }?.expression
  }

  // MARK: Values

  private static let deepest = 8

  private func string(_ expression: ExprSyntax, depth: Int = 0) -> String? {
    guard depth < ManifestReader.deepest else { return nil }
    if let literal = expression.as(StringLiteralExprSyntax.self) {
      var text = ""
      for segment in literal.segments {
        if let plain = segment.as(StringSegmentSyntax.self) {
          text += plain.content.text
        } else if let inserted = segment.as(ExpressionSegmentSyntax.self), inserted.expressions.count == 1,
          let inner = inserted.expressions.first.flatMap({ string($0.expression, depth: depth + 1) })
        {
          text += inner
        } else {
          return nil
        }
      }
      return text
    }
    if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text {
      return constants[name]?.first.flatMap { string($0, depth: depth + 1) }
    }
    return sum(expression)?.reduce("") { text, part in
      text.flatMap { text in string(part, depth: depth + 1).map { text + $0 } }
    }
  }

  private func strings(_ expression: ExprSyntax, depth: Int = 0) -> [String]? {
    guard depth < ManifestReader.deepest else { return nil }
    if let array = expression.as(ArrayExprSyntax.self) {
      let values = array.elements.map { string($0.expression, depth: depth + 1) }
      return values.contains(nil) ? nil : values.compactMap(\.self)
    }
    if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text {
      // Where systems differ, none of them has it all.
      return constants[name].flatMap { $0.count == 1 ? strings($0[0], depth: depth + 1) : nil }
    }
    guard let parts = sum(expression)?.map({ strings($0, depth: depth + 1) }), !parts.contains(nil) else { return nil }
    return parts.flatMap { $0 ?? [] }
  }

  /// What a list surely holds: of what depends on a system or on a condition, nothing that only one of them has.
  private func everywhere(_ expression: ExprSyntax, depth: Int = 0) -> Set<String> {
    guard depth < ManifestReader.deepest else { return [] }
    if let array = expression.as(ArrayExprSyntax.self) {
      return Set(array.elements.compactMap { string($0.expression, depth: depth + 1) })
    }
    if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text, let values = constants[name] {
      let sets = values.map { everywhere($0, depth: depth + 1) }
      return sets.dropFirst().reduce(sets.first ?? []) { $0.intersection($1) }
    }
    return (sum(expression) ?? []).reduce(into: []) { $0.formUnion(everywhere($1, depth: depth + 1)) }
  }

  /// The operands of `a + b + c`.
  private func sum(_ expression: ExprSyntax) -> [ExprSyntax]? {
    if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1 {
      return tuple.elements.first.map { [$0.expression] }
    }
    guard let sequence = expression.as(SequenceExprSyntax.self) else { return nil }
    var operands: [ExprSyntax] = []
    for (index, element) in sequence.elements.enumerated() {
      if index.isMultiple(of: 2) {
        operands.append(element)
      } else if element.as(BinaryOperatorExprSyntax.self)?.operator.text != "+" {
        return nil
      }
    }
    return operands
  }

  // MARK: Settings

  private func settings(_ expression: ExprSyntax?) -> ManifestSettings {
    var text = (expression?.description ?? "") + "\n" + common
    var seen: Set<String> = []
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      let words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
      for word in words.sorted() where texts[word] != nil && seen.insert(word).inserted {
        text += "\n" + (texts[word] ?? "")
        isGrowing = true
      }
    }
    return ManifestSettings(
      isMainActorDefault: text.contains("defaultIsolation(MainActor"),
      isNonsendingByDefault: text.contains("NonisolatedNonsendingByDefault"))
  }
}
