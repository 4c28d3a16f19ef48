/// A linker symbol taken apart: the function it belongs to, and which piece of that function it is.

/// Swift splits an async function at its suspensions. The entry keeps the function's name; each piece after it has the
/// name and `TQ<n>_` (reached by the return of an awaited call, "await resume") or `TY<n>_` (reached by a change of
/// executor, "suspend resume"). `n` counts both kinds together, from 0, in the order the compiler laid them out.
struct MangledName: Hashable, Sendable {
  /// The symbol without the piece's suffix and without suffixes of LLVM that mark a part of the same function
  /// (`.cold`, `.resume.0`, `.llvm.7`). A bare number (`TA.42`: the 42nd forwarder of that name) stays.
  let key: String
  /// What the demangler takes: `key` without any suffix of LLVM.
  let mangled: String
  let resume: FunctionName.Resume?

  init(symbol: String) {
    guard Demangler.isSwift(symbol) || symbol.hasPrefix("async_Main") else {
      // Only suffixes that are sure to be LLVM's: a C symbol may have dots of its own.
      let end = symbol.firstRange(of: ".cold") ?? symbol.firstRange(of: ".llvm.")
      mangled = String(symbol[..<(end?.lowerBound ?? symbol.endIndex)])
      key = mangled
      resume = nil
      return
    }
    // Swift's mangling has no dots: the first one begins what LLVM appended, of which `.42TQ0_` is both.
    let parts = symbol.split(separator: ".", omittingEmptySubsequences: false)
    let copy = parts.count > 1 ? parts[1].prefix(while: \.isNumber) : ""
    let body = copy.isEmpty ? parts[0] : "\(parts[0]).\(parts[1])"
    let split = Self.resumeSuffix(body)
    key = String(split?.head ?? body)
    mangled = String(key.prefix { $0 != "." })
    resume = split?.resume
  }

  private static func resumeSuffix(_ name: Substring) -> (head: Substring, resume: FunctionName.Resume)? {
    guard name.utf8.last == UInt8(ascii: "_") else { return nil }
    let body = name.dropLast()
    let digits = body.utf8.reversed().prefix { (0x30...0x39).contains($0) }.count
    guard digits > 0, digits < 9, let index = Int(body.suffix(digits)) else { return nil }
    let head = body.dropLast(digits)
    if head.hasSuffix("TQ") { return (head.dropLast(2), .init(ordinal: index + 1, kind: .awaitReturn)) }
    if head.hasSuffix("TY") { return (head.dropLast(2), .init(ordinal: index + 1, kind: .executorChange)) }
    return nil
  }
}
