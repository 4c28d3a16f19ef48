/// A path pattern of the configuration: `*` within a folder, `**` across folders, `?` for one letter.
struct GlobPattern {
  private let pattern: [UInt8]

  init(_ pattern: String) { self.pattern = Array(pattern.utf8) }

  func matches(_ path: String) -> Bool { matches(0, Array(path.utf8), 0, budget: 64) }

  private func matches(_ start: Int, _ path: [UInt8], _ from: Int, budget: Int) -> Bool {
    var index = start
    var at = from
    while index < pattern.count {
      if pattern[index] == UInt8(ascii: "*") {
        guard budget > 0 else { return false }
        let isDeep = index + 1 < pattern.count && pattern[index + 1] == UInt8(ascii: "*")
        var next = index + (isDeep ? 2 : 1)
        if isDeep, next < pattern.count, pattern[next] == UInt8(ascii: "/") {
          // `**/` also matches no folder at all.
          if matches(next + 1, path, at, budget: budget - 1) { return true }
          next += 1
        }
        var end = at
        while end <= path.count {
          if matches(next, path, end, budget: budget - 1) { return true }
          if end < path.count, !isDeep, path[end] == UInt8(ascii: "/") { return false }
          end += 1
        }
        return false
      }
      guard at < path.count else { return false }
      if pattern[index] != path[at], !(pattern[index] == UInt8(ascii: "?") && path[at] != UInt8(ascii: "/")) {
        return false
      }
      index += 1
      at += 1
    }
    return at == path.count
  }
}
