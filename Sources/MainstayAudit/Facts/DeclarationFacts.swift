/// What declarations say that no intermediate language keeps: kinds, stored members, attributes, and the words beside them.
import MainstayFindings

/// A type, or an extension of one, as its declaration stands in a file.
public struct TypeDeclaration: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case `class`, `struct`, `enum`, actor, `protocol`, `extension`
  }

  /// A type in the inheritance clause, with what stands before it: `@unchecked`, `@preconcurrency`, `nonisolated`.
  public struct Inherited: Sendable, Hashable {
    public var name: String
    public var attributes: [String]
    public var location: SourceLocation

    public init(name: String, attributes: [String], location: SourceLocation) {
      self.name = name
      self.attributes = attributes
      self.location = location
    }
  }

  /// The name with those of the types around it: `Account.Entry`.
  public var name: String
  public var kind: Kind
  public var attributes: [String]
  public var modifiers: [String]
  public var inherited: [Inherited]
  public var members: [MemberDeclaration]
  /// The comment directly above, without its markers.
  public var comment: String
  /// Where the name stands.
  public var location: SourceLocation
  /// The type around this one, by name; nil at the top of a file.
  public var outer: String?
  /// Whether a function's body holds it.
  public var isLocal: Bool

  public init(
    name: String, kind: Kind, attributes: [String], modifiers: [String], inherited: [Inherited],
    members: [MemberDeclaration], comment: String, location: SourceLocation, outer: String?, isLocal: Bool
  ) {
    self.name = name
    self.kind = kind
    self.attributes = attributes
    self.modifiers = modifiers
    self.inherited = inherited
    self.members = members
    self.comment = comment
    self.location = location
    self.outer = outer
    self.isLocal = isLocal
  }

  public func inherits(_ name: String) -> Inherited? {
    inherited.first { $0.name == name || $0.name.hasSuffix("." + name) }
  }
}

/// A parameter as its declaration says it.
public struct ParameterDeclaration: Sendable, Hashable {
  /// The type as it is written; a generic parameter by what it is constrained to.
  public var type: String
  public var hasDefault: Bool
  /// Whether the default value calls something: that runs at each call that leaves the argument out.
  public var runsDefault: Bool

  public init(type: String, hasDefault: Bool = false, runsDefault: Bool = false) {
    self.type = type
    self.hasDefault = hasDefault
    self.runsDefault = runsDefault
  }
}

/// A member of a type, or a declaration at the top of a file.
public struct MemberDeclaration: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case stored, computed, function, initializer, deinitializer, subscripting
  }

  public var name: String
  public var kind: Kind
  /// `var`, for a stored one.
  public var isMutable: Bool
  public var isStatic: Bool
  /// The type as it is written, or the callee of the initial value; a function's result. Empty when nothing says.
  public var type: String
  /// `(_:to:)` for functions, initialisers and subscripts.
  public var labels: String
  public var isAsync: Bool
  public var isThrowing: Bool
  /// The name of the parameter whose actor the function runs on; `?` when it may be none.
  public var isolatedParameter: String?
  /// Those of functions, initialisers and subscripts, in the order of `labels`.
  public var parameters: [ParameterDeclaration]
  /// What runs when a stored one is used: `willSet`, `didSet`, and `initial` when its initial value calls something.
  public var runs: [String]
  /// The initial value of a stored one when it is a literal or a case: `0`, `.loading`. Empty otherwise.
  public var initial: String
  public var attributes: [String]
  public var modifiers: [String]
  public var comment: String
  /// Where the name stands.
  public var location: SourceLocation

  public init(
    name: String, kind: Kind, isMutable: Bool, isStatic: Bool, type: String, labels: String = "",
    isAsync: Bool = false, isThrowing: Bool = false, isolatedParameter: String? = nil,
    parameters: [ParameterDeclaration] = [], runs: [String] = [], initial: String = "", attributes: [String],
    modifiers: [String], comment: String,
    location: SourceLocation
  ) {
    self.name = name
    self.kind = kind
    self.isMutable = isMutable
    self.isStatic = isStatic
    self.type = type
    self.labels = labels
    self.isAsync = isAsync
    self.isThrowing = isThrowing
    self.isolatedParameter = isolatedParameter
    self.parameters = parameters
    self.runs = runs
    self.initial = initial
    self.attributes = attributes
    self.modifiers = modifiers
    self.comment = comment
    self.location = location
  }
}

/// A place that tells the compiler not to ask: it believes what the code claims.
public struct Silencer: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case assumeIsolated, nonisolatedUnsafe, preconcurrencyConformance
  }

  public var kind: Kind
  public var location: SourceLocation
  /// The words next to it: above its statement or declaration, behind it on its line, or first inside.
  public var comment: String
  /// The declaration around it, spelled for a person.
  public var function: String
  /// The type around it.
  public var type: String?
  /// The call whose closure holds it, and that call's receiver: `queue.sync`, `source.setEventHandler`.
  public var given: String?
  /// The variable that `nonisolated(unsafe)` stands before; nil for everything else.
  public var variable: Variable?

  public struct Variable: Sendable, Hashable {
    public var isConstant: Bool
    /// The type as it is written. Empty when nothing says.
    public var type: String
    /// The initial value as it is written, its beginning when it is long. Empty when there is none.
    public var value: String

    public init(isConstant: Bool, type: String, value: String) {
      self.isConstant = isConstant
      self.type = type
      self.value = value
    }
  }

  public init(
    kind: Kind, location: SourceLocation, comment: String, function: String, type: String?, given: String?,
    variable: Variable? = nil
  ) {
    self.kind = kind
    self.location = location
    self.comment = comment
    self.function = function
    self.type = type
    self.given = given
    self.variable = variable
  }
}

/// A block that is sent to the main queue, with the words next to it.
public struct MainQueueBlock: Sendable, Hashable {
  /// Where the call begins.
  public var location: SourceLocation
  public var comment: String

  public init(location: SourceLocation, comment: String) {
    self.location = location
    self.comment = comment
  }
}

/// A property that is given to a control or to another view to be changed there: `$title`, `$model.title`.
public struct BoundMember: Sendable, Hashable {
  /// The type whose code gives it away.
  public var type: String
  /// The property as it is written: `title`, `model.title`.
  public var path: String
  /// What keeps a person from it meanwhile, as it is written: `.disabled(isSaving)` around it, a way that is shown only
  /// without it, or a state of loading that is given to the view around it.
  public var locks: [String]
  /// The callee that it is given to, with the argument's label: `Toggle.isOn`.
  public var given: String

  public init(type: String, path: String, locks: [String], given: String) {
    self.type = type
    self.path = path
    self.locks = locks
    self.given = given
  }
}

/// What the text of one file says beyond its functions.
public struct SourceFacts: Sendable, Hashable {
  public var file = ""
  public var module = ""
  public var types: [TypeDeclaration] = []
  /// Functions and variables at the top of the file.
  public var members: [MemberDeclaration] = []
  public var silencers: [Silencer] = []
  public var mainQueueBlocks: [MainQueueBlock] = []
  public var bound: [BoundMember] = []
  public var imports: [String] = []

  public init() {}
}
