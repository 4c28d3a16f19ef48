/// Comments that silence a finding, and what is wrong with them: no reason, an unknown rule, nothing to silence.
import Foundation
import MainstayFindings

/// `// mainstay:disable:next <rule> - <reason>`, also `this` and `previous`, and in `/* … */`.
struct Suppression: Hashable {
  var file: String
  /// Where the comment stands.
  var line: Int
  var column: Int
  /// The lines whose findings it silences; empty when it does not say which.
  var target: Range<Int>
  var rules: [String]
  var reason: String
}

enum Suppressions {
  static let marker = "mainstay:disable:"

  /// The suppressions in one file; files without the marker cost one search of their bytes.
  static func read(_ data: Data, file: String) -> [Suppression] {
    let isMarked = data.withUnsafeBytes { bytes in
      SILText(bytes).find("mainstay:disable:", in: 0..<bytes.count) != nil
    }
    guard isMarked else { return [] }
    var found: [Suppression] = []
    let comments = SourceComments(String(decoding: data, as: UTF8.self))
    for comment in comments.all where comment.text.hasPrefix(marker) {
      let index = comment.line - 1
      let rest = comment.text.dropFirst(marker.count)
      let scope = rest.prefix { $0.isLetter }
      let target: Range<Int>
      switch scope {
      case "next": target = following(comments, index)
      case "this": target = index + 1..<index + 2
      case "previous": target = index..<index + 1
      default: target = 0..<0
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
          file: file, line: comment.line, column: comment.column, target: target, rules: rules,
          reason: reason.joined(separator: " ")))
    }
    return found
  }

  /// The next line that holds code: suppressions may stand above one another, and above comments. Attributes on lines of
  /// their own belong to the declaration below them, which is where findings stand.
  private static func following(_ comments: SourceComments, _ index: Int) -> Range<Int> {
    var first: Int?
    var next = index + 1
    while next < comments.lines.count {
      if !comments.isIdle(next + 1) {
        first = first ?? next
        if !isAttributes(comments.lines[next].drop { $0 == " " || $0 == "\t" }) { break }
      }
      next += 1
    }
    return (first ?? next) + 1..<next + 2
  }

  /// Whether a line holds attributes and nothing else: `@MainActor @Test("a (b)")`.
  private static func isAttributes(_ line: Substring) -> Bool {
    var rest = line
    while rest.first == "@" {
      rest = rest.dropFirst().drop { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
      if rest.first == "(" {
        var depth = 0
        var isText = false
        var end = rest.endIndex
        for index in rest.indices {
          if rest[index] == "\"" { isText.toggle() }
          if isText { continue }
          if rest[index] == "(" { depth += 1 }
          if rest[index] == ")" { depth -= 1 }
          if depth == 0 {
            end = rest.index(after: index)
            break
          }
        }
        rest = rest[end...]
      }
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
    }
    return rest.isEmpty || rest.hasPrefix("//")
  }

  /// What a complaint says of a comment that is not needed: the one that can be taken away without asking anybody.
  static let superfluous = "it silences nothing"

  /// Takes silenced findings away, and adds findings about the silencers themselves.
  ///
  /// - Parameter readFromSource: files in which the compiler might find more, so that silence proves little.
  static func apply(
    _ suppressions: [Suppression], to findings: [Finding], readFromSource guessed: Set<String> = []
  ) -> [Finding] {
    guard !suppressions.isEmpty else { return findings }
    let known = Set(RuleCatalogue.documentation.flatMap { [$0.id, $0.code] })
    let byFile = Dictionary(grouping: suppressions, by: \.file)
    var used: Set<Suppression> = []
    var kept: [Finding] = []
    for finding in findings {
      let silencer = byFile[finding.location.file]?.first { suppression in
        suppression.target.contains(finding.location.line)
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
      if suppression.target.isEmpty {
        kept.append(complaint(suppression, "unknown scope", "write next, this or previous after mainstay:disable:"))
        continue
      }
      if suppression.rules.isEmpty {
        kept.append(complaint(suppression, "no rule named", "name the rule to silence"))
      }
      for rule in suppression.rules where !known.contains(rule) {
        let hint = Spelling.hint(rule, among: known, otherwise: "'mainstay explain' lists the rules")
        kept.append(complaint(suppression, "unknown rule '\(rule)'", hint))
      }
      if suppression.reason.isEmpty {
        kept.append(
          complaint(
            suppression, "no reason given", "write the reason after a dash: // mainstay:disable:next <rule> - <reason>")
        )
      } else if !used.contains(suppression), suppression.rules.contains(where: { known.contains($0) }) {
        var complaint = complaint(suppression, superfluous, "remove it: 'mainstay audit --fix' does")
        if guessed.contains(suppression.file) {
          complaint.severity = .note
          complaint.confidence = .low
          complaint.action = "remove it if the compiler finds nothing either; here the source alone was read"
        }
        kept.append(complaint)
      }
    }
    return kept
  }

  private static func complaint(_ suppression: Suppression, _ problem: String, _ action: String) -> Finding {
    let location = SourceLocation(file: suppression.file, line: suppression.line, column: suppression.column)
    return Finding(
      rule: ToolRules.suppression.id, code: ToolRules.suppression.code, severity: .warning, confidence: .high,
      message: "this suppression does not count: \(problem)", action: action, function: "", symbol: "", isolation: "",
      location: location, path: [], roots: [], subject: "\(suppression.rules.joined(separator: ",")) \(problem)")
  }
}
