/// Comments that silence a finding, and what is wrong with them: no reason, an unknown rule, nothing to silence.
import Foundation
import MainstayFindings

/// `// mainstay:disable:next <rule> - <reason>`, also `this` and `previous`.
struct Suppression: Hashable {
  var file: String
  /// Where the comment stands.
  var line: Int
  var column: Int
  /// The line whose findings it silences.
  var target: Int
  var rules: [String]
  var reason: String
}

enum Suppressions {
  private static let marker = "mainstay:disable:"

  /// The suppressions in one file; files without the marker cost one search of their bytes.
  static func read(_ data: Data, file: String) -> [Suppression] {
    let isMarked = data.withUnsafeBytes { bytes in
      SILText(bytes).find("mainstay:disable:", in: 0..<bytes.count) != nil
    }
    guard isMarked else { return [] }
    var found: [Suppression] = []
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard let comment = line.firstRange(of: "//"), let start = line.firstRange(of: marker),
        comment.lowerBound < start.lowerBound,
        line[comment.upperBound..<start.lowerBound].allSatisfy({ $0 == " " || $0 == "/" || $0 == "\t" })
      else { continue }
      let rest = line[start.upperBound...]
      let scope = rest.prefix { $0.isLetter }
      let target: Int
      switch scope {
      case "next": target = following(lines, index)
      case "this": target = index + 1
      case "previous": target = index
      default: target = 0
      }
      let text = rest[scope.endIndex...]
      let parts = text.split(separator: " ", omittingEmptySubsequences: true)
      var rules: [String] = []
      var reason: [Substring] = []
      var isReason = false
      for part in parts {
        if !isReason, part == "-" || part == "–" || part == "—" {
          isReason = true
        } else if isReason {
          reason.append(part)
        } else {
          rules += part.split(separator: ",").map(String.init)
        }
      }
      found.append(
        Suppression(
          file: file, line: index + 1, column: line.distance(from: line.startIndex, to: comment.lowerBound) + 1,
          target: target, rules: rules, reason: reason.joined(separator: " ")))
    }
    return found
  }

  /// The next line that holds code: suppressions may stand above one another, and above comments.
  private static func following(_ lines: [Substring], _ index: Int) -> Int {
    var next = index + 1
    while next < lines.count {
      let text = lines[next].drop { $0 == " " || $0 == "\t" }
      if !text.isEmpty, !text.hasPrefix("//") { break }
      next += 1
    }
    return next + 1
  }

  /// Takes silenced findings away, and adds findings about the silencers themselves.
  static func apply(_ suppressions: [Suppression], to findings: [Finding]) -> [Finding] {
    guard !suppressions.isEmpty else { return findings }
    let known = Set(RuleCatalogue.documentation.flatMap { [$0.id, $0.code] })
    var used: Set<Suppression> = []
    var kept: [Finding] = []
    for finding in findings {
      let silencer = suppressions.first { suppression in
        suppression.file == finding.location.file && suppression.target == finding.location.line
          && suppression.rules.contains { $0 == finding.rule || $0 == finding.code }
      }
      if let silencer, !silencer.reason.isEmpty {
        used.insert(silencer)
      } else {
        if let silencer { used.insert(silencer) }
        kept.append(finding)
      }
    }
    for suppression in suppressions {
      if suppression.target == 0 {
        kept.append(complaint(suppression, "unknown scope", "write next, this or previous after mainstay:disable:"))
        continue
      }
      if suppression.rules.isEmpty {
        kept.append(complaint(suppression, "no rule named", "name the rule to silence"))
      }
      for rule in suppression.rules where !known.contains(rule) {
        kept.append(complaint(suppression, "unknown rule '\(rule)'", "did you mean '\(nearest(rule, known))'?"))
      }
      if suppression.reason.isEmpty {
        kept.append(
          complaint(
            suppression, "no reason given", "write the reason after a dash: // mainstay:disable:next <rule> - <reason>")
        )
      } else if !used.contains(suppression), suppression.rules.contains(where: { known.contains($0) }) {
        kept.append(complaint(suppression, "it silences nothing", "remove it"))
      }
    }
    return kept
  }

  private static func complaint(_ suppression: Suppression, _ problem: String, _ action: String) -> Finding {
    let location = SourceLocation(file: suppression.file, line: suppression.line, column: suppression.column)
    return Finding(
      rule: "suppression", code: "MS001", severity: .warning, confidence: .high,
      message: "this suppression does not count: \(problem)", action: action, function: "", symbol: "", isolation: "",
      location: location, path: [], roots: [], subject: "\(suppression.rules.joined(separator: ",")) \(problem)")
  }

  static func nearest(_ name: String, _ known: Set<String>) -> String {
    known.sorted().min { EditDistance.between($0, name) < EditDistance.between($1, name) } ?? ""
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
