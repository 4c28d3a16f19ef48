/// Mangled names in, the compiler's full readable names out, through the Swift runtime this tool already runs on.
///
/// `swift_demangle` is what the runtime's own backtraces use. libswiftCore exports it (`llvm-nm -D` shows
/// `T swift_demangle` in 6.3.1; its source is `stdlib/public/runtime/Demangle.cpp`, `SWIFT_RUNTIME_EXPORT`) with the C
/// signature `char *(const char *mangled, size_t length, char *out, size_t *outSize, uint32_t flags)`. It returns a
/// `malloc`ed buffer when `out` is null, null for a name that is not Swift's, and stops the process unless `flags` is 0.
/// C++ names go through `__cxa_demangle`, which libswiftCore imports from the C++ runtime. Both are looked up at run
/// time, so that a runtime without them costs readable names and nothing else.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Demangles with a cache. Not `Sendable`: one owner, one pass over a recording.
public final class Demangler {
  private var cache: [String: String?] = [:]

  public init() {}

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
    // A name of an untrusted image: longer than any compiler writes is not worth the time, and a name cut inside a
    // function signature specialisation sends the runtime's demangler of 6.3.1 into an endless allocation.
    guard mangled.utf8.count <= 1 << 15, !Self.endsInsideSpecialization(mangled) else { return nil }
    return Self.isSwift(mangled) ? Self.swift(mangled) : mangled.hasPrefix("_Z") ? Self.cxx(mangled) : nil
  }

  /// Whether a symbol has one of the prefixes of Swift's mangling (`$s` since 5.0, `$S`, `_T0`; `$e` is Embedded).
  static func isSwift(_ mangled: String) -> Bool {
    let name = mangled.utf8.first == UInt8(ascii: "_") ? mangled.dropFirst() : mangled[...]
    return name.hasPrefix("$s") || name.hasPrefix("$S") || name.hasPrefix("$e") || mangled.hasPrefix("_T0")
      || mangled.hasPrefix("@__swiftmacro_")
  }

  /// Whether the parameters after `Tf<pass>` lack the `_` that ends them. Identifiers (`6loadTf`) are stepped over.
  private static func endsInsideSpecialization(_ mangled: String) -> Bool {
    let bytes = Array(mangled.utf8)
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

  private typealias SwiftFunction =
    @convention(c) (
      UnsafePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?
  private typealias CXXFunction =
    @convention(c) (
      UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<CInt>?
    ) -> UnsafeMutablePointer<CChar>?

  private static let swiftFunction: SwiftFunction? = symbol("swift_demangle")
  private static let cxxFunction: CXXFunction? = symbol("__cxa_demangle")

  private static func symbol<Function>(_ name: String) -> Function? {
    guard let handle = dlopen(nil, RTLD_NOW), let address = dlsym(handle, name) else { return nil }
    return unsafeBitCast(address, to: Function.self)
  }

  private static func swift(_ mangled: String) -> String? {
    guard let function = swiftFunction, let text = function(mangled, mangled.utf8.count, nil, nil, 0) else {
      return nil
    }
    defer { free(text) }
    let name = String(cString: text)
    return name == mangled ? nil : name
  }

  private static func cxx(_ mangled: String) -> String? {
    var status: CInt = -1
    guard let function = cxxFunction, let text = function(mangled, nil, nil, &status) else { return nil }
    defer { free(text) }
    return status == 0 ? String(cString: text) : nil
  }
}
