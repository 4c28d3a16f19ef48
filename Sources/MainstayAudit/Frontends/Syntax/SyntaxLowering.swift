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
  /// The types of what a collection was made of, where it was written out and each of them is known.
  var parts: [String]?
  /// Made by an `async let`, and not waited for yet.
  var isPending = false
}

final class SyntaxLowering {
  var function: FunctionFacts
  let type: String?
  let index: SyntaxModuleIndex
  let converter: SourceLocationConverter
  /// The type of what the function returns, as it is written.
  var result: String?
  var inner: [FunctionFacts] = []
  var closures = 0
  var locals: [String: SyntaxValue] = [:]
  /// The body around a closure: names that are not the closure's own are captured from there.
  let outer: SyntaxLowering?
  var captures: [Argument] = []
  /// `self` is captured weakly, and not strong yet.
  var isSelfWeak = false
  var successors: [Int: [Int]] = [:]
  var starts: [Int] = [0]
  var current = 0
  /// The type that `.init(…)` means where it stands next.
  var implied: String?
  /// Under an `await`: known async callees are awaited, and the outermost unknown one.
  var isAwaiting = false
  var isOutermost = false
  var isTrying = false
  /// What the open blocks put off with `defer`, the outermost block's first.
  var deferred: [CodeBlockItemListSyntax] = []
  /// Whether what was put off is being read.
  var isDeferring = false
  /// Blocks that some way from the start leads to.
  var reachable: Set<Int> = [0]
  /// The loops around the statement: where `continue` goes, the blocks that `break` left, and how much was put off before.
  var loops: [(label: String?, head: Int, breaks: [Int], deferred: Int)] = []
  /// The `do` statements around the statement: blocks whose call may throw into them.
  var handlers: [(blocks: [Int], deferred: Int)] = []
  var thrown: [Int] = []

  init(
    _ function: FunctionFacts, type: String?, index: SyntaxModuleIndex, converter: SourceLocationConverter,
    outer: SyntaxLowering? = nil
  ) {
    self.function = function
    self.type = type
    self.index = index
    self.converter = converter
    self.outer = outer
    for (position, parameter) in function.parameters.enumerated() where parameter.name != "self" {
      locals[parameter.name] = SyntaxValue(origins: Origins(parameter: position), root: parameter.name)
    }
  }

  func setType(_ type: String, of local: String) { locals[local]?.typeName = index.resolved(type, in: self.type) }

  /// The function, and the closures inside it.
  func finish() -> [FunctionFacts] {
    if !thrown.isEmpty {
      // What is thrown and not caught leaves by a way of its own.
      let blocks = thrown
      thrown = []
      begin(from: blocks)
    }
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
    if blocks.contains(where: { reachable.contains($0) }) { reachable.insert(current) }
    for block in blocks where block >= 0 && successors[block]?.contains(current) != true {
      successors[block, default: []].append(current)
    }
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

  /// After a call that may throw, the block has two ways out: on, and to the handler.
  ///
  /// - Parameter decided: the call, when it is no awaited one: whether it throws is its own decision, and a branch.
  func splitForThrow(decided: (event: Int, node: FunctionCallExprSyntax)? = nil) {
    if let decided { emit(.branch(Origins(event: decided.event)), decided.node) }
    let block = current
    begin(from: [block])
    if handlers.isEmpty {
      thrown.append(block)
    } else {
      handlers[handlers.count - 1].blocks.append(block)
    }
  }

  // MARK: Names

  /// A local name: the body's own, or one that a closure takes from the body around it.
  func local(_ name: String) -> SyntaxValue? {
    if let own = locals[name] { return own }
    guard let outer, let taken = outer.local(name) else { return nil }
    return capture(name, taken)
  }

  private func capture(_ name: String, _ taken: SyntaxValue) -> SyntaxValue {
    let position = function.parameters.count
    function.parameters.append(.init(name: name, isCapture: true))
    captures.append(Argument(origins: taken.origins, root: taken.root, literal: taken.literal))
    var value = SyntaxValue(origins: Origins(parameter: position), root: taken.root ?? name, typeName: taken.typeName)
    value.closure = taken.closure
    value.isPending = taken.isPending
    locals[name] = value
    return value
  }

  /// The object itself. In a closure it is captured; weakly captured, it is made strong here.
  func selfValue(_ node: some SyntaxProtocol) -> SyntaxValue {
    captureSelf()
    if isSelfWeak { emit(.retain("self"), node) }
    let position = function.parameters.firstIndex { $0.name == "self" }
    return SyntaxValue(origins: position.map { Origins(parameter: $0) } ?? Origins(), root: "self", typeName: type)
  }

  func captureSelf() {
    guard let outer, !function.parameters.contains(where: { $0.name == "self" }) else { return }
    outer.captureSelf()
    function.parameters.append(.init(name: "self", isCapture: true))
    captures.append(Argument(root: "self"))
  }
}
