/// One instruction of SIL text as the value flow needs it: what it is, its values, and the offsets of its text.
struct SILInstruction {
  var operation: SILDialect.Operation
  var results: Range<Int>
  var operands: Range<Int>
  var successors: Range<Int>
  /// The text after the instruction's name, up to its location.
  var text: Range<Int>
  /// The symbol, member, name or literal it mentions; -1 when none.
  var symbol: Int32 = -1
  var file: Int32 = -1
  var line: Int32 = 0
  var column: Int32 = 0
  var isNoescape = false
  var isAsync = false
  var isMethod = false
  /// A type argument is a function type that is isolated to a global actor.
  var hasIsolatedTypeArgument = false
  var isModify = false
  var isTerminator = false
}

/// A function's instructions and the pools that they point into.
struct SILBody {
  struct Block {
    var label: Int
    var arguments: [Int] = []
    var instructions: Range<Int> = 0..<0
    var successors: [Int] = []
  }
  struct EntryArgument {
    var value: Int
    var isCapture: Bool
    /// An implicit or optional actor: whatever the caller runs on.
    var isCallerActor: Bool
    var isAddress: Bool
    var isFunction: Bool
    /// `isolated MainActor`: the main actor itself, passed to say where to run.
    var isMainActor: Bool
    /// Captured without keeping it alive.
    var isWeak: Bool
  }

  var blocks: [Block] = []
  var entry: [EntryArgument] = []
  var instructions: [SILInstruction] = []
  var values: [Int32] = []
  var labels: [Int32] = []
  var valueCount = 0

  mutating func reset() {
    blocks.removeAll(keepingCapacity: true)
    entry.removeAll(keepingCapacity: true)
    instructions.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    labels.removeAll(keepingCapacity: true)
    valueCount = 0
  }
}
