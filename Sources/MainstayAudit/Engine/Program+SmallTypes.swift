/// Types whose values are small whatever they say: a few numbers, flags, dates and short texts, and no collection.
import MainstayFindings

extension Program {
  private static let smallTypes: Set<String> = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
    "String", "Character", "Date", "UUID", "URL", "Decimal", "TimeInterval", "CGFloat", "CGPoint", "CGSize", "CGRect",
    "Duration", "NSNumber", "CInt", "pid_t", "uid_t", "CGWindowID", "CGDirectDisplayID",
  ]

  /// Whether a type bounds the size of its values: one of the language's, or a structure of this program that is made of
  /// such, or a collection that is written out, by the tuple of its parts. A text of its own may be long; among others it
  /// is a name.
  func isSmall(_ name: String, in module: String) -> Bool {
    name != "String" && isSmall(name, in: module, within: "", depth: 0)
  }

  private func isSmall(_ name: String, in module: String, within outer: String, depth: Int) -> Bool {
    var written = Substring(name)
    while let last = written.last, last == "?" || last == "!" { written = written.dropLast() }
    let plain = String(written)
    if Program.smallTypes.contains(plain) { return true }
    if plain.hasPrefix("("), plain.hasSuffix(")") {
      let parts = plain.dropFirst().dropLast().split(separator: ", ")
      return parts.count < 17 && parts.allSatisfy { isSmall(String($0), in: module, within: outer, depth: depth + 1) }
    }
    guard depth < 4 else { return false }
    let bare = plain.hasPrefix(module + ".") ? String(plain.dropFirst(module.count + 1)) : plain
    let found = [outer + "." + bare, bare].lazy.compactMap { self.declarations.type($0, in: module) }.first
    guard let type = found, let primary = type.primary else { return false }
    if primary.kind == .enum { return type.inherits("String") || type.inherits("Int") }
    let stored = type.members.filter { $0.kind == .stored && !$0.isStatic }
    return primary.kind == .struct && !stored.isEmpty && stored.count < 12
      && stored.allSatisfy { isSmall($0.type, in: module, within: primary.name, depth: depth + 1) }
  }
}
