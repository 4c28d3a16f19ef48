/// A function as a Swift developer would write it, and the keys by which it is found again in source and in SIL.

/// `SearchModel.load(_:)` for `$s3App11SearchModelC4loadyySSYaF`: type, base name and labels; no module, no argument
/// types, no generic parameters (`Box.map(_:)` whatever `Box` holds: jobs are counted per function, not per
/// specialisation).
///
/// | symbol of | is shown as |
/// |---|---|
/// | a method, a global function | `SearchModel.load(_:)`, `work(_:)` |
/// | a type method | `static Catalogue.make(id:)`; the program's entry is `App.main()` |
/// | accessors | `PlayerModel.position.getter`, `Vec.subscript(row:col:).setter` |
/// | initialisers | `Catalogue.init(url:)`, `Store.deinit` |
/// | closures | `closure 1 in SettingsView.body`, `closure 1 in closure 2 in …` |
/// | autoclosures, `async let` | `implicit closure 1 in SearchModel.pair()` |
/// | local functions and types | `helper(_:scale:) in SearchModel.load(_:)`, `Local.run() in …` |
/// | defaults, initial values | `default argument 0 of …`, `initial value of …` |
/// | a forwarder, witness, `@objc` or dispatch thunk | what it leads to, with `isThunk` set |
/// | a reabstraction thunk | `reabstraction thunk`: its name does not say what it leads to, see `TaskClosure` |
/// | C | its own name; C++ is demangled |
public struct FunctionName: Hashable, Sendable {
  /// What kind of function a name belongs to.
  public enum Kind: String, Hashable, Sendable {
    case function, initializer, deinitializer, accessor
    /// A closure expression.
    case closure
    /// An autoclosure, the right-hand side of `async let`, or a method used as a value.
    case implicitClosure
    case localFunction
    /// The expression of a default argument.
    case defaultArgument
    /// The initial value of a stored or global variable.
    case initialValue
    /// A thunk whose name does not say what it leads to.
    case thunk
    /// Metadata accessors, outlined copies and the like.
    case compilerGenerated
    /// C or C++.
    case foreign
    /// A Swift name of a shape this version does not know: shown in the demangler's words.
    case unknown
  }

  /// A piece of an async function after its entry.
  public struct Resume: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      /// `TQ`: an awaited call returned.
      case awaitReturn
      /// `TY`: the task changed executor, or was suspended and scheduled again.
      case executorChange
    }
    /// The piece's number, from 1, as the demangler prints it. It counts pieces, not awaits: see `ResumePoints`.
    public let ordinal: Int
    public let kind: Kind
  }

  /// The name to show.
  public let display: String
  public let kind: Kind
  /// For a closure, local function, default argument or initial value: the declaration it stands in, as shown.
  public let enclosing: String?
  /// The type it belongs to, as shown (`Namespace.Deep`); nil for a global function.
  public let type: String?
  /// The module whose code it is; for an extension the module of the extension. Nil where the name does not say.
  public let module: String?
  /// Whether this is only a compiler-made step to what `display` names.
  public let isThunk: Bool
  /// The symbol with the suffix of its piece removed: the same for every piece of one async function.
  public let key: String
  /// The mangled name of the function in source: `key` without specialisations and forwarders. It is the name that SIL
  /// and, after `$s`, a USR have.
  public let sourceKey: String
  /// Which piece of an async function this is; nil for the entry, and for a function that does not suspend.
  public let resume: Resume?
}

extension FunctionName {
  /// Names a symbol of an image. O(length); cached demanglings make the same function cheap the second time.
  public init(symbol: String, demangler: Demangler) {
    let name = MangledName(symbol: symbol)
    self.key = name.key
    self.resume = name.resume
    guard let text = demangler.demangle(name.mangled) else {
      let isEntry = name.mangled == "async_Main"
      display = Self.printable(name.mangled)
      if isEntry {
        kind = .thunk
      } else if Self.isRuntimeHelper(name.mangled) {
        kind = .compilerGenerated
      } else {
        kind = Demangler.isSwift(name.mangled) ? .unknown : .foreign
      }
      (enclosing, type, module) = (nil, nil, nil)
      isThunk = isEntry
      sourceKey = name.mangled
      return
    }
    guard Demangler.isSwift(name.mangled) else {
      display = Self.printable(text)
      kind = .foreign
      (enclosing, type, module) = (nil, nil, nil)
      isThunk = false
      sourceKey = name.mangled
      return
    }
    let parsed = DemangledName(text)
    display = Self.printable(parsed.display)
    kind = parsed.kind
    enclosing = parsed.enclosing
    type = parsed.type
    module = parsed.module ?? Self.leadingModule(of: name.mangled)
    isThunk = parsed.isThunk
    sourceKey = Self.sourceKey(of: name.mangled, wrappers: parsed.wrappers, demangler: demangler)
  }

  /// Peels specialisations and forwarders off a mangled name, one by one.
  ///
  /// The compiler writes them behind the name of what they wrap, so that name is a proper prefix, and it demangles to
  /// the text that stands inside the wrapper. Only such prefixes are tried that can be whole names: the runtime's
  /// demangler is not safe with names cut anywhere.
  private static func sourceKey(
    of mangled: String, wrappers: [DemangledName.Wrapper], demangler: Demangler
  ) -> String {
    var name = mangled[...]
    for wrapper in wrappers {
      let lengths: [Int]
      switch wrapper.kind {
      case .forwarder, .transparent:
        lengths = [2, 3, 4]  // `TA`, `Tm`, `TwS`
      case .specialization:
        guard let marker = specializationMarker(name) else { return String(name) }
        lengths = Array(marker..<min(marker + 128, name.utf8.count))
      }
      let inside = lengths.lazy.map { name.dropLast($0) }.first { demangler.uncached(String($0)) == wrapper.inside }
      guard let inside else { return String(name) }
      name = inside
    }
    return String(name)
  }

  /// How many characters at the end of a specialised name belong to its marker: `Tg5` in `…yt_Tg5`, `Tf4d_n`.
  private static func specializationMarker(_ name: Substring) -> Int? {
    let bytes = Array(name.utf8)
    let kinds = Set("gGpPBisSft".utf8)
    guard bytes.count > 4 else { return nil }
    for at in stride(from: bytes.count - 2, to: 2, by: -1) where bytes[at] == UInt8(ascii: "T") {
      if kinds.contains(bytes[at + 1]) { return bytes.count - at }
    }
    return nil
  }

  /// Helpers that the Swift compiler names without mangling.
  private static func isRuntimeHelper(_ symbol: String) -> Bool {
    symbol.hasPrefix("__swift_") || symbol.hasPrefix("objectdestroy") || symbol.hasPrefix("block_copy_helper")
      || symbol.hasPrefix("block_destroy_helper")
  }

  /// A name of an untrusted image may hold anything: no control character of it reaches a terminal. The spaces of a raw
  /// identifier are mangled as no-break spaces, and written as spaces again.
  private static func printable(_ name: String) -> String {
    guard !name.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return name }
    let scalars = name.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar == "\u{a0}" ? " " : scalar.properties.generalCategory == .control ? "?" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The module of a name whose text does not repeat it: the first identifier after `$s`, where it is spelt out.
  private static func leadingModule(of mangled: String) -> String? {
    var rest = mangled.drop { $0 == "_" }.dropFirst(2)
    if rest.hasPrefix("s") { return "Swift" }
    let digits = rest.prefix { $0.isNumber }
    guard !digits.hasPrefix("0"), let count = Int(digits), count <= rest.utf8.count else { return nil }
    rest = rest.dropFirst(digits.count)
    return String(rest.prefix(count))
  }
}
