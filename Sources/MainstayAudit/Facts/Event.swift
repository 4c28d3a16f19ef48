/// What a function does, one step at a time: the events of a control-flow graph's blocks.
import MainstayFindings

/// Where a value comes from: indices of events in the same function, and parameters as negative numbers.
///
/// Parameter `i` is `-(i + 1)`. An empty set is a value made of literals alone.
public struct Origins: Sendable, Hashable {
  public private(set) var members: [Int32] = []

  public init() {}
  public init(event: Int) { members = [Int32(event)] }
  public init(parameter: Int) { members = [-Int32(parameter) - 1] }
  init(members: [Int32]) { self.members = members }

  /// The parameter that a member stands for; nil when it stands for an event.
  static func parameter(of member: Int32) -> Int? { member < 0 ? -(Int(member) + 1) : nil }

  /// The parameter that this is, where it is nothing else.
  var soleParameter: Int? { members.count == 1 ? Origins.parameter(of: members[0]) : nil }

  public var isEmpty: Bool { members.isEmpty }
  public func contains(event: Int) -> Bool { members.contains(Int32(event)) }

  /// Sets stay small: past this size a value depends on "much", and more precision would not be used.
  private static let limit = 48

  mutating func remove(_ member: Int32) { members.removeAll { $0 == member } }

  public mutating func formUnion(_ other: Origins) {
    if other.members.isEmpty || members == other.members { return }
    if members.isEmpty {
      members = other.members
      return
    }
    for member in other.members where !members.contains(member) {
      if members.count >= Origins.limit { return }
      members.append(member)
    }
  }
}

/// Stored state that a function touches: the member's name, and the object that holds it.
public struct Place: Sendable, Hashable {
  /// The object, as a path from a name in scope: `self`, `self.balances`, `global`, `store`; `?` when unknown.
  public var root: String
  /// The member with its type: `Account.balance`, with struct fields appended.
  public var member: String

  public init(root: String, member: String) {
    self.root = root
    self.member = member
  }

  /// Whether one place is the other or a part of it. Asked of every pair of a function's reads and writes.
  public func overlaps(_ other: Place) -> Bool {
    let (short, long) = member.utf8.count <= other.member.utf8.count ? (member, other.member) : (other.member, member)
    guard long.utf8.starts(with: short.utf8), root == other.root else { return false }
    let next = long.utf8.index(long.startIndex, offsetBy: short.utf8.count)
    return next == long.endIndex || long.utf8[next] == UInt8(ascii: ".")
  }
}

/// A closure passed to a call.
public struct ClosureValue: Sendable, Hashable {
  public var function: String
  public var escapes: Bool
  /// Where each captured value comes from, and its root, in the order of the closure's trailing parameters.
  public var captures: [Argument]

  public init(function: String, escapes: Bool, captures: [Argument]) {
    self.function = function
    self.escapes = escapes
    self.captures = captures
  }
}

public struct Argument: Sendable, Hashable {
  public var origins: Origins
  public var root: String?
  public var literal: String?
  public var closure: [ClosureValue]

  public init(origins: Origins = Origins(), root: String? = nil, literal: String? = nil, closure: [ClosureValue] = []) {
    self.origins = origins
    self.root = root
    self.literal = literal
    self.closure = closure
  }
}

/// Who is called.
public enum Callee: Sendable, Hashable {
  /// A function known by its mangled name.
  case function(String)
  /// A class method found through the object: type, member and signature.
  case method(String)
  /// A protocol requirement: protocol, member and signature.
  case witness(String)
  /// A closure that is a parameter of the calling function.
  case parameter(Int)
  /// A closure that is kept in a stored member, by the member's name: whatever was put there.
  case member(String)
  case unknown
}

public struct Call: Sendable, Hashable {
  public var callee: Callee
  /// The callee spelled for a person, for example `JSONDecoder.decode<A>(_:from:)`.
  public var display: String
  public var isAsync: Bool
  /// The executor that the callee was hopped to; `own` when the call stays where it is.
  public var executor: Executor
  public var arguments: [Argument]
  /// The index of the argument that is `self`, for methods.
  public var receiver: Int?
  /// Whether the callee may throw.
  public var isThrowing: Bool
  /// Whether nobody looks at the result.
  public var isDiscarded: Bool
  /// Whether the callee is generic and used with a function type of a global actor: `Array<@MainActor () -> Void>`.
  public var hasIsolatedTypeArgument: Bool

  public init(
    callee: Callee, display: String, isAsync: Bool, executor: Executor, arguments: [Argument], receiver: Int?,
    isThrowing: Bool = false, isDiscarded: Bool = false, hasIsolatedTypeArgument: Bool = false
  ) {
    self.callee = callee
    self.display = display
    self.isAsync = isAsync
    self.executor = executor
    self.arguments = arguments
    self.receiver = receiver
    self.isThrowing = isThrowing
    self.isDiscarded = isDiscarded
    self.hasIsolatedTypeArgument = hasIsolatedTypeArgument
  }

  public var receiverRoot: String? { receiver.flatMap { arguments.indices.contains($0) ? arguments[$0].root : nil } }
  /// Whether the caller may be suspended here: an async callee, or a synchronous one on another executor.
  public var suspends: Bool { isAsync || executor != .own }
}

public struct Write: Sendable, Hashable {
  public var place: Place
  /// What the written value, and any index or key used to reach it, depend on.
  public var origins: Origins
  /// The value when it is a literal: `true`, `nil`, `.loading`.
  public var literal: String?
  /// Whether only a part changes (an element, an appended value) and not the whole.
  public var isPartial: Bool

  public init(place: Place, origins: Origins, literal: String?, isPartial: Bool) {
    self.place = place
    self.origins = origins
    self.literal = literal
    self.isPartial = isPartial
  }
}

public struct Event: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case call(Call)
    case hop(Executor)
    case read(Place)
    case write(Write)
    /// The block's end chooses a successor by a value with these origins.
    case branch(Origins)
    /// The compiler checks here that it runs on the expected executor, and stops the program otherwise.
    case executorCheck
    /// A weakly captured object, by its name, is made strong here.
    case retain(String)
  }

  public var kind: Kind
  public var location: SourceLocation

  public init(kind: Kind, location: SourceLocation) {
    self.kind = kind
    self.location = location
  }
}
