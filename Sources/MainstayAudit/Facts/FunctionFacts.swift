/// One function or closure: where it stands, where it runs, and what it does.
import MainstayFindings

public struct FunctionFacts: Sendable, Hashable {
  public struct Flags: OptionSet, Sendable, Hashable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let isAsync = Flags(rawValue: 1)
    public static let isThunk = Flags(rawValue: 2)
    public static let isClosure = Flags(rawValue: 4)
    /// Written by the compiler or a macro, not by a person.
    public static let isImplicit = Flags(rawValue: 8)
    public static let isGlobalInitializer = Flags(rawValue: 16)
    public static let isInitializer = Flags(rawValue: 32)
    public static let isDeinitializer = Flags(rawValue: 64)
    public static let isTest = Flags(rawValue: 128)
  }

  public struct Parameter: Sendable, Hashable {
    public var name: String
    public var isCapture: Bool
    /// Captured without keeping it alive.
    public var isWeak: Bool
    public init(name: String, isCapture: Bool, isWeak: Bool = false) {
      self.name = name
      self.isCapture = isCapture
      self.isWeak = isWeak
    }
  }

  /// A function value that is put into a stored member, where others may find and call it.
  public struct KeptClosure: Sendable, Hashable {
    public enum Origin: Sendable, Hashable {
      case closure(String)
      /// Whatever callers pass for this parameter.
      case parameter(Int)
    }
    public var member: String
    public var origin: Origin
    public init(member: String, origin: Origin) {
      self.member = member
      self.origin = origin
    }
  }

  /// A straight line of events, and where control goes from there.
  public struct Block: Sendable, Hashable {
    public var events: Range<Int>
    public var successors: [Int]
    public init(events: Range<Int>, successors: [Int]) {
      self.events = events
      self.successors = successors
    }
  }

  /// The mangled name: the key that joins facts of different modules, and code with measurements.
  public var name: String
  public var display: String
  public var module: String
  public var location: SourceLocation
  public var isolation: Isolation
  public var flags: Flags
  public var parameters: [Parameter]
  public var blocks: [Block]
  public var events: [Event]
  public var keptClosures: [KeptClosure] = []
  /// Which way of reading code produced this.
  public var source: FactSource

  public init(
    name: String, display: String, module: String, location: SourceLocation, isolation: Isolation, flags: Flags,
    parameters: [Parameter], blocks: [Block], events: [Event], source: FactSource
  ) {
    self.name = name
    self.display = display
    self.module = module
    self.location = location
    self.isolation = isolation
    self.flags = flags
    self.parameters = parameters
    self.blocks = blocks
    self.events = events
    self.source = source
  }

  /// The parameter that a member of origins stands for.
  func parameter(of member: Int32) -> Parameter? {
    Origins.parameter(of: member).flatMap { parameters.indices.contains($0) ? parameters[$0] : nil }
  }

  public var isAsync: Bool { flags.contains(.isAsync) }
  public var isClosure: Bool { flags.contains(.isClosure) }
  /// The initial value of a global or a static member, and closures in it: made once, for whoever asks first.
  public var isMadeOnce: Bool {
    if flags.contains(.isGlobalInitializer) { return true }
    var display = InnerFunction.outer(display, through: .closure)
    // The compiler says `variable initialization expression of static Row.formatter`, the source alone `static variable …`.
    let isStatic = display.hasPrefix("static ")
    if isStatic { display = display.dropFirst("static ".count) }
    guard display.hasPrefix("variable initialization expression of ") else { return false }
    let member = display.dropFirst("variable initialization expression of ".count)
    return isStatic || member.hasPrefix("static ") || !member.contains(".")
  }

  /// A program's top level, or a `main` that starts one.
  public var isEntry: Bool {
    // The package manager names a program's entry after its module.
    if name == "main" || name == "async_Main" || name == module + "_main" { return true }
    let display = InnerFunction.outer(display, through: .autoclosure)
    return display.hasPrefix("static ") && (display.hasSuffix(".main()") || display.hasSuffix(".main(_:)"))
  }
}

/// Who says so: the compiler's own intermediate language, or a reading of the source alone.
public enum FactSource: UInt8, Sendable, Hashable {
  case compiler, syntax

  public var confidence: Confidence { self == .compiler ? .high : .low }
}

/// A type: what it conforms to, inherits from and stores.
public struct TypeFacts: Sendable, Hashable {
  public var name: String
  public var module: String
  public var conformances: Set<String>

  public init(name: String, module: String, conformances: Set<String>) {
    self.name = name
    self.module = module
    self.conformances = conformances
  }
}

/// A function that a method key or a protocol requirement may reach.
public struct DispatchEntry: Sendable, Hashable {
  public var key: String
  public var function: String
  public init(key: String, function: String) {
    self.key = key
    self.function = function
  }
}

/// What one front end read from one file.
public struct FileFacts: Sendable, Hashable {
  public var functions: [FunctionFacts] = []
  public var methods: [DispatchEntry] = []
  public var witnesses: [DispatchEntry] = []
  public var types: [TypeFacts] = []
  /// Functions of other modules with the isolation that this module sees.
  public var imported: [ImportedFunction] = []
  /// What the text says beyond its functions.
  public var declared: SourceFacts?
  /// Instructions that the reader has no knowledge of, and lines that it could not read.
  public var unknown: [String] = []
  /// Its declarations by their place, where reading it gave them.
  public var outline: SourceOutline?
  /// Why nothing was read from the file, when nothing was.
  public var leftOut: String?
  /// What of the file could not be understood, when the rest was read.
  public var misread: Misread?

  public init() {}
}

/// What keeps a part of a file from being understood.
public enum Misread: Sendable, Hashable {
  /// Bytes that are no UTF-8 were replaced.
  case notUTF8
  /// The line of the first mistake: the parser goes on behind it.
  case doesNotParse(line: Int)
}

public struct ImportedFunction: Sendable, Hashable {
  public var name: String
  public var display: String
  public var isolation: Isolation
  public init(name: String, display: String, isolation: Isolation) {
    self.name = name
    self.display = display
    self.isolation = isolation
  }
}
