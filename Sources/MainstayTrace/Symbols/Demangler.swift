/// Mangled names in, the compiler's full readable names out, through the Swift runtime this tool already runs on.
///
/// `swift_demangle` is what the runtime's own backtraces use; C++ names go through `__cxa_demangle`. Neither is made for
/// names that no compiler wrote, so both run in a child process: `DemanglingChild`.

/// Demangles with a cache. Not `Sendable`: one owner, one pass over a recording.
public final class Demangler {
  private var cache: [String: String?] = [:]
  private let child = DemanglingChild()

  public init() {}

  /// Names that the runtime's demangler did not survive, which are shown mangled.
  var faults: Int { child.faults }

  /// The readable form of a Swift or C++ mangled name, or nil when it is neither (a C function, say).
  ///
  /// Suffixes of LLVM (`.llvm.123`, `.cold`, `.resume.0`) must be gone, or the text says "with unmangled suffix".
  public func demangle(_ mangled: String) -> String? {
    if let known = cache[mangled] { return known }
    let text = uncached(mangled)
    cache[mangled] = .some(text)
    return text
  }

  /// The same for a name that will not be asked for again.
  func uncached(_ mangled: String) -> String? {
    // A name of an untrusted image: longer than any compiler writes is not worth the time, nor is one that is known to
    // send the runtime's demangler of 6.3.1 into an endless allocation, cut inside a function signature specialisation.
    let name = Array(mangled.utf8)
    guard name.count <= 1 << 15, !name.contains(0), Self.isSwift(mangled) || mangled.hasPrefix("_Z"),
      !Self.endsInsideSpecialization(name), let text = child.demangle(name)
    else { return nil }
    return text == mangled ? nil : text
  }

  /// Whether a symbol has one of the prefixes of Swift's mangling (`$s` since 5.0, `$S`, `_T0`; `$e` is Embedded).
  static func isSwift(_ mangled: String) -> Bool {
    let name = mangled.utf8.first == UInt8(ascii: "_") ? mangled.dropFirst() : mangled[...]
    return name.hasPrefix("$s") || name.hasPrefix("$S") || name.hasPrefix("$e") || mangled.hasPrefix("_T0")
      || mangled.hasPrefix("@__swiftmacro_")
  }

  /// Whether the parameters after `Tf<pass>` lack the `_` that ends them. Identifiers (`6loadTf`) are stepped over.
  private static func endsInsideSpecialization(_ bytes: [UInt8]) -> Bool {
    var at = 0
    while at + 1 < bytes.count {
      if bytes[at] == UInt8(ascii: "T"), bytes[at + 1] == UInt8(ascii: "f") {
        guard bytes[at...].contains(UInt8(ascii: "_")) else { return true }
        at += 2
      } else if (0x31...0x39).contains(bytes[at]) {
        let digits = bytes[at...].prefix { (0x30...0x39).contains($0) }
        let isIndex = digits.endIndex < bytes.count && bytes[digits.endIndex] == UInt8(ascii: "_")
        let length = isIndex || digits.count > 5 ? 0 : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        at += digits.count + length
      } else {
        at += 1
      }
    }
    return false
  }
}
