/// Lowers one body of source into blocks of events, as far as names tell.
import MainstayFindings
import SwiftSyntax

/// What is known of an expression's value.
struct SyntaxValue {
  var origins = Origins()
  var root: String?
  var typeName: String?
  var literal: String?
  var closure: ClosureValue?
}

final class SyntaxLowering {
  var function: FunctionFacts
  let type: String?
  let index: SyntaxModuleIndex
  let converter: SourceLocationConverter
  var inner: [FunctionFacts] = []
  var closures = 0
  var locals: [String: SyntaxValue] = [:]
  var successors: [Int: [Int]] = [:]
  var starts: [Int] = [0]
  var current = 0
  var isAwaiting = false
  var deferred: [CodeBlockItemListSyntax] = []

  init(_ function: FunctionFacts, type: String?, index: SyntaxModuleIndex, converter: SourceLocationConverter) {
    self.function = function
    self.type = type
    self.index = index
    self.converter = converter
    for (position, parameter) in function.parameters.enumerated() where parameter.name != "self" {
      locals[parameter.name] = SyntaxValue(origins: Origins(parameter: position), root: parameter.name)
    }
  }

  func setType(_ type: String, of local: String) { locals[local]?.typeName = type }

  /// The function, and the closures inside it.
  func finish() -> [FunctionFacts] {
    for block in deferred.reversed() { lower(block) }
    for position in starts.indices {
      let end = position + 1 < starts.count ? starts[position + 1] : function.events.count
      function.blocks.append(.init(events: starts[position]..<end, successors: successors[position] ?? []))
    }
    return [function] + inner
  }

  // MARK: Blocks

  /// Begins a block; `from` lists the blocks that go on here.
  func begin(from blocks: [Int]) {
    starts.append(function.events.count)
    current = starts.count - 1
    for block in blocks where block >= 0 { successors[block, default: []].append(current) }
  }

  func location(_ node: some SyntaxProtocol) -> MainstayFindings.SourceLocation {
    let place = converter.location(for: node.positionAfterSkippingLeadingTrivia)
    return .init(file: function.location.file, line: place.line, column: place.column)
  }

  @discardableResult
  func emit(_ kind: Event.Kind, _ node: some SyntaxProtocol) -> Int {
    function.events.append(Event(kind: kind, location: location(node)))
    return function.events.count - 1
  }
}
