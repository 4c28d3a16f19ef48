/// Reads words off a syntax tree: attributes, the names of types, and the comments that stand beside code.
import SwiftSyntax

enum SourceWords {
  static func names(_ attributes: AttributeListSyntax) -> [String] {
    attributes.compactMap { $0.as(AttributeSyntax.self).map { typeName($0.attributeName) } }
  }

  static func names(_ modifiers: DeclModifierListSyntax) -> [String] { modifiers.map(\.trimmedDescription) }

  /// A type's name without generic arguments and module selectors that nobody needs: `Box` for `Swift.Box<Int>`.
  static func typeName(_ type: TypeSyntax) -> String {
    if let name = type.as(IdentifierTypeSyntax.self) { return name.name.text }
    if let member = type.as(MemberTypeSyntax.self) {
      let base = typeName(member.baseType)
      return ["Swift", "Foundation", "SwiftUI", "Combine", "UIKit", "AppKit"].contains(base)
        ? member.name.text : base + "." + member.name.text
    }
    if let attributed = type.as(AttributedTypeSyntax.self) { return typeName(attributed.baseType) }
    if let optional = type.as(OptionalTypeSyntax.self) { return typeName(optional.wrappedType) }
    return type.trimmedDescription
  }

  /// Static members that stand for an instance of their own type.
  private static let instances: Set<String> = ["shared", "default", "standard", "main", "current", "live", "general"]

  /// The type that an initial value makes plain: `Lock` for `Lock()`, `Mutex<Int>` for `Mutex<Int>(0)`.
  static func madeType(_ value: ExprSyntax) -> String {
    if value.is(StringLiteralExprSyntax.self) { return "String" }
    if value.is(BooleanLiteralExprSyntax.self) { return "Bool" }
    if value.is(IntegerLiteralExprSyntax.self) { return "Int" }
    if let member = value.as(MemberAccessExprSyntax.self), let base = member.base, isTypeName(base),
      instances.contains(member.declName.baseName.text)
    {
      return base.trimmedDescription
    }
    guard let call = value.as(FunctionCallExprSyntax.self) else { return "" }
    let name = call.calledExpression.trimmedDescription
    let last = name.split(separator: ".").last ?? ""
    return last.first?.isUppercase == true ? name : ""
  }

  /// A text with nothing in it that is known later only.
  private static func isText(_ value: ExprSyntax) -> Bool {
    value.as(StringLiteralExprSyntax.self)?.segments.allSatisfy { $0.is(StringSegmentSyntax.self) } ?? false
  }

  /// A literal, a list of them, or a case by its name alone; empty for everything else.
  static func literal(_ value: ExprSyntax) -> String {
    if value.is(BooleanLiteralExprSyntax.self) || value.is(IntegerLiteralExprSyntax.self)
      || value.is(NilLiteralExprSyntax.self)
    {
      return value.trimmedDescription
    }
    if let list = value.as(ArrayExprSyntax.self) {
      let isWritten = list.elements.allSatisfy { !literal($0.expression).isEmpty || isText($0.expression) }
      return isWritten && !list.elements.isEmpty ? LiteralText.list : ""
    }
    guard let member = value.as(MemberAccessExprSyntax.self) else { return "" }
    guard let base = member.base else { return member.trimmedDescription }
    return isTypeName(base) ? "." + member.declName.baseName.text : ""
  }

  static func boundNames(_ pattern: PatternSyntax) -> [TokenSyntax] {
    if let name = pattern.as(IdentifierPatternSyntax.self) { return [name.identifier] }
    if let tuple = pattern.as(TuplePatternSyntax.self) { return tuple.elements.flatMap { boundNames($0.pattern) } }
    return []
  }

  /// `(_:to:)`.
  static func labels(_ parameters: FunctionParameterClauseSyntax) -> String {
    "(" + parameters.parameters.map { $0.firstName.text + ":" }.joined() + ")"
  }

  static func display(_ type: String?, _ name: String, _ parameters: FunctionParameterClauseSyntax) -> String {
    (type.map { $0 + "." } ?? "") + name + labels(parameters)
  }

  static func parameters(
    _ clause: FunctionParameterClauseSyntax, _ generics: [String: String]
  ) -> [ParameterDeclaration] {
    clause.parameters.map { parameter in
      let type = parameter.type.trimmedDescription
      let inherits = names(parameter.attributes).contains("_inheritActorContext")
      let written = inherits ? "@_inheritActorContext " + type : type
      return ParameterDeclaration(
        type: generics[written] ?? written + (parameter.ellipsis == nil ? "" : "..."),
        hasDefault: parameter.defaultValue != nil || parameter.ellipsis != nil,
        runsDefault: CallFinder.isIn(parameter.defaultValue?.value))
    }
  }

  /// What each generic parameter is constrained to: `<R: Reading>`, `where S: Stored`.
  static func constraints(_ clause: GenericParameterClauseSyntax?, _ whereClause: GenericWhereClauseSyntax?)
    -> [String: String]
  {
    var result: [String: String] = [:]
    for parameter in clause?.parameters ?? [] {
      if let type = parameter.inheritedType { result[parameter.name.text] = typeName(type) }
    }
    for requirement in whereClause?.requirements ?? [] {
      guard case .conformanceRequirement(let one) = requirement.requirement else { continue }
      result[one.leftType.trimmedDescription] = typeName(one.rightType)
    }
    return result
  }

  /// `willSet` and `didSet` of a stored property.
  static func observers(_ binding: PatternBindingSyntax) -> [String] {
    guard case .accessors(let list) = binding.accessorBlock?.accessors else { return [] }
    return list.map(\.accessorSpecifier.text).filter { $0 == "didSet" || $0 == "willSet" }
  }

  /// The parameter that is marked `isolated`; `?` when it is optional, which means the caller's actor.
  static func isolatedParameter(_ parameters: FunctionParameterClauseSyntax) -> String? {
    for parameter in parameters.parameters {
      guard let type = parameter.type.as(AttributedTypeSyntax.self),
        type.specifiers.contains(where: { $0.trimmedDescription == "isolated" })
      else { continue }
      return type.baseType.is(OptionalTypeSyntax.self) ? "?" : (parameter.secondName ?? parameter.firstName).text
    }
    return nil
  }

  // MARK: Comments

  /// The comment lines directly above a node: a blank line ends them.
  static func comment(before node: some SyntaxProtocol) -> String { comment(in: node.leadingTrivia) }

  /// The words above a type, and those among its members that say what keeps the type from races.
  static func comment(before node: some SyntaxProtocol, andPromisesIn body: MemberBlockSyntax?) -> String {
    var words = [comment(before: node)]
    for member in body?.members ?? [] {
      for paragraph in paragraphs(in: member.leadingTrivia)
      where StatedInvariant.speaksOfSharing(paragraph) && StatedInvariant.namesDiscipline(paragraph) {
        words.append(paragraph)
      }
    }
    return joined(words)
  }

  /// Comments that blank lines part, each as one text.
  private static func paragraphs(in trivia: Trivia) -> [String] {
    var pieces: [[TriviaPiece]] = [[]]
    var newlines = 0
    for piece in trivia {
      switch piece {
      case .newlines(let count), .carriageReturns(let count), .carriageReturnLineFeeds(let count):
        newlines += count
        // A line of blanks is an empty one.
        if newlines == 2 || newlines > 2 && newlines - count < 2 { pieces.append([]) }
      case .spaces, .tabs: break
      case .lineComment(let text) where text.contains("MARK:"):
        newlines = 0
        continue
      default: newlines = 0
      }
      pieces[pieces.count - 1].append(piece)
    }
    return pieces.map { comment(in: Trivia(pieces: $0)) }.filter { !$0.isEmpty }
  }

  /// Words above a declaration, between its attributes, or behind its lines up to one.
  static func comment(
    around node: some SyntaxProtocol, untilLineOf line: Int, _ converter: SourceLocationConverter
  ) -> String {
    var words = [comment(before: node), comment(beforeConditionAround: Syntax(node))]
    for token in node.tokens(viewMode: .sourceAccurate) {
      let at = converter.location(for: token.positionAfterSkippingLeadingTrivia).line
      if at > line + 1 { break }
      if token.id != node.firstToken(viewMode: .sourceAccurate)?.id, at <= line {
        words.append(comment(in: token.leadingTrivia))
      }
      if converter.location(for: token.endPositionBeforeTrailingTrivia).line <= line {
        words.append(comment(in: token.trailingTrivia))
      }
    }
    if let next = node.lastToken(viewMode: .sourceAccurate)?.nextToken(viewMode: .sourceAccurate),
      node.lastToken(viewMode: .sourceAccurate).map({
        converter.location(for: $0.endPositionBeforeTrailingTrivia).line == line
      }) == true
    {
      words.append(sameLine(next.leadingTrivia))
    }
    return joined(words)
  }

  /// Words above the `#if` whose first declaration a node is.
  private static func comment(beforeConditionAround node: Syntax) -> String {
    guard let item = node.parent, let list = item.parent, list.children(viewMode: .sourceAccurate).first?.id == item.id,
      let clauses = list.parent?.as(IfConfigClauseSyntax.self)?.parent,
      let condition = clauses.parent?.as(IfConfigDeclSyntax.self)
    else { return "" }
    return comment(before: condition)
  }

  /// Words above the statement that holds a call, behind the call on its line, or first in its closure; when the call
  /// is the first statement of another closure, also above that closure's own statement.
  static func comment(atCall node: FunctionCallExprSyntax, _ converter: SourceLocationConverter) -> String {
    var words: [String] = []
    var current = Syntax(node)
    var depth = 0
    while let parent = current.parent, depth < 3 {
      if current.is(CodeBlockItemSyntax.self) {
        words.append(comment(before: current))
        depth += 1
        guard let list = parent.as(CodeBlockItemListSyntax.self), let holder = list.parent else { break }
        if holder.is(ClosureExprSyntax.self) {
          if let brace = holder.as(ClosureExprSyntax.self)?.leftBrace {
            words.append(comment(in: brace.trailingTrivia))
          }
          current = holder
          continue
        }
        // A body of its own: the words above the declaration are about it when it holds little else, or when they name it.
        if let declaration = holder.parent?.asProtocol((any DeclSyntaxProtocol).self) {
          let about = comment(before: declaration)
          if StatedInvariant.saysWhoCalls(about), list.count <= 2 || about.contains("assumeIsolated") {
            words.append(about)
          }
        }
        break
      }
      current = parent
    }
    if let closure = node.trailingClosure {
      words.append(comment(in: closure.leftBrace.trailingTrivia))
      if let inner = closure.statements.first { words.append(comment(before: inner)) }
      if let signature = closure.signature { words.append(comment(in: signature.inKeyword.trailingTrivia)) }
    }
    if let last = node.lastToken(viewMode: .sourceAccurate) { words.append(comment(in: last.trailingTrivia)) }
    return joined(words)
  }

  /// `DispatchQueue.main.async`, and the same after a time.
  static func sendsToMainQueue(_ node: FunctionCallExprSyntax) -> Bool {
    guard let member = node.calledExpression.as(MemberAccessExprSyntax.self),
      ["async", "asyncAfter"].contains(member.declName.baseName.text)
    else { return false }
    return ["DispatchQueue.main", ".main"].contains(member.base?.trimmedDescription)
  }

  /// Words directly above the statement that a call is, behind the call's first line, or first in its closure.
  static func comment(aboutStatementAround node: FunctionCallExprSyntax) -> String {
    var words: [String] = []
    var current = Syntax(node)
    while let parent = current.parent, !current.is(CodeBlockItemSyntax.self) { current = parent }
    words.append(comment(before: current))
    if let closure = node.trailingClosure ?? node.arguments.last?.expression.as(ClosureExprSyntax.self) {
      words.append(comment(in: closure.leftBrace.trailingTrivia))
      if let signature = closure.signature { words.append(comment(in: signature.inKeyword.trailingTrivia)) }
      if let inner = closure.statements.first { words.append(comment(before: inner)) }
    }
    return joined(words)
  }

  private static func joined(_ words: [String]) -> String {
    words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func sameLine(_ trivia: Trivia) -> String {
    var pieces: [TriviaPiece] = []
    for piece in trivia {
      if case .newlines = piece { break }
      pieces.append(piece)
    }
    return comment(in: Trivia(pieces: pieces))
  }

  static func comment(in trivia: Trivia) -> String {
    var lines: [String] = []
    var newlines = 0
    for piece in trivia {
      switch piece {
      case .newlines(let count), .carriageReturns(let count), .carriageReturnLineFeeds(let count):
        newlines += count
        if newlines > 1 { lines.removeAll() }
      case .lineComment(let text), .docLineComment(let text):
        newlines = 0
        lines.append(words(text))
      case .blockComment(let text), .docBlockComment(let text):
        newlines = 0
        lines += text.split(separator: "\n").map { words(String($0)) }
      default: break
      }
    }
    return lines.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func words(_ line: String) -> String {
    let text = line.drop { $0 == "/" || $0 == "*" || $0 == " " || $0 == "\t" || $0 == "!" }
    var end = text.endIndex
    while end > text.startIndex, "*/ \t".contains(text[text.index(before: end)]) { end = text.index(before: end) }
    return String(text[..<end])
  }

  // MARK: Calls

  /// `self`, `self?` and `self!`.
  static func isSelf(_ expression: ExprSyntax) -> Bool {
    if let name = expression.as(DeclReferenceExprSyntax.self) { return name.baseName.text == "self" }
    if let inner = expression.as(OptionalChainingExprSyntax.self) { return isSelf(inner.expression) }
    if let inner = expression.as(ForceUnwrapExprSyntax.self) { return isSelf(inner.expression) }
    return false
  }

  /// Whether an expression is spelled as a type is: `Store`, `Store.Entry`.
  static func isTypeName(_ expression: ExprSyntax) -> Bool {
    if let name = expression.as(DeclReferenceExprSyntax.self) { return name.baseName.text.first?.isUppercase == true }
    if let member = expression.as(MemberAccessExprSyntax.self), let base = member.base {
      return member.declName.baseName.text.first?.isUppercase == true && isTypeName(base)
    }
    if let generic = expression.as(GenericSpecializationExprSyntax.self) { return isTypeName(generic.expression) }
    return false
  }

  /// A callee by its last words: a chain of thousands of calls has as many callees, each as long as what is before it.
  private static func spelled(_ expression: ExprSyntax, depth: Int) -> String {
    if let name = expression.as(DeclReferenceExprSyntax.self) { return name.baseName.text }
    guard let member = expression.as(MemberAccessExprSyntax.self) else { return "…" }
    let name = member.declName.baseName.text
    guard let base = member.base, depth < 3 else { return name }
    return spelled(base, depth: depth + 1) + "." + name
  }

  /// The call that a closure is given to, as it is written: `queue.sync`; empty when it is none's argument.
  static func call(around closure: ClosureExprSyntax) -> String {
    var parent = closure.parent
    var steps = 0
    while let node = parent, steps < 6 {
      if let call = node.as(FunctionCallExprSyntax.self) {
        let onMain = call.arguments.contains { argument in
          argument.label?.text == "queue"
            && [".main", "DispatchQueue.main", "OperationQueue.main"].contains(argument.expression.trimmedDescription)
        }
        return spelled(call.calledExpression, depth: 0) + (onMain ? "(queue: .main)" : "")
      }
      if node.is(CodeBlockItemSyntax.self) { return "" }
      parent = node.parent
      steps += 1
    }
    return ""
  }
}
