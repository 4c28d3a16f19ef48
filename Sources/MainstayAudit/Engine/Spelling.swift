/// What a person probably meant by a name that nothing has: said only when it is close enough to help.

enum Spelling {
  /// The name that begins with what was written, or holds it, or differs from it by a few letters; nil when none does.
  static func nearest(_ name: String, among known: some Sequence<String>) -> String? {
    let wanted = name.lowercased()
    guard !wanted.isEmpty else { return nil }
    let ranked = known.compactMap { candidate -> (rank: Int, name: String)? in
      let other = candidate.lowercased()
      if wanted.count > 2, other.hasPrefix(wanted) { return (0, candidate) }
      let distance = EditDistance.between(other, wanted)
      if distance <= max(2, wanted.count / 3), distance < wanted.count { return (distance, candidate) }
      if wanted.count > 2, other.contains(wanted) { return (wanted.count, candidate) }
      return nil
    }
    return ranked.min { ($0.rank, $0.name.count, $0.name) < ($1.rank, $1.name.count, $1.name) }?.name
  }

  /// A clause for the end of a message: what was meant, or where to look.
  static func hint(_ name: String, among known: some Sequence<String>, otherwise: String) -> String {
    nearest(name, among: known).map { "did you mean '\($0)'?" } ?? otherwise
  }
}

/// How many letters differ: for naming what was probably meant.
enum EditDistance {
  static func between(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let cost = a == b ? diagonal : min(diagonal, row[j], row[j + 1]) + 1
        diagonal = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[right.count]
  }
}
