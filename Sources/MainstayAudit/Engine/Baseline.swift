/// Findings that a project has accepted: each by rule, function and file, which no edit of other lines changes.
import MainstayFindings

public struct Baseline: Sendable, Hashable {
  struct Entry: Sendable, Hashable {
    var rule: String
    var file: String
    var function: String
    var fingerprint: String
    /// Where the baseline holds it.
    var line: Int
  }

  private static let schema = "mainstay.baseline/1"

  let path: String
  private let entries: [Entry]

  /// - Throws: `AuditFailure` when the file is not a baseline of this version.
  static func read(_ path: String) throws -> Baseline {
    let document = KeptDocument(path: path, schema: schema, name: "baseline", option: "--write-baseline")
    let root = try document.read().root
    guard case .array(let nodes)? = root["findings"]?.value else { throw document.foreign }
    return Baseline(
      path: path,
      entries: try nodes.map { node in
        guard let rule = node["rule"]?.string, let file = node["file"]?.string,
          let function = node["function"]?.string, let mark = node["fingerprint"], let fingerprint = mark.string
        else {
          throw document.damaged(
            at: node.line, "an entry has a rule, a file, a function and a fingerprint, all of them texts")
        }
        return Entry(rule: rule, file: file, function: function, fingerprint: fingerprint, line: mark.line)
      })
  }

  /// Each entry answers for one finding: a second one of the same kind in the same function is new.
  ///
  /// - Returns: the findings that no entry answers for, and the entries that answered for none.
  func compared(with findings: [Finding]) -> (fresh: [Finding], gone: [Entry]) {
    // The last first: they are taken from the end.
    var left: [String: [Int]] = [:]
    for index in entries.indices.reversed() { left[entries[index].fingerprint, default: []].append(index) }
    var isAnswered = Array(repeating: false, count: entries.count)
    let fresh = findings.filter { finding in
      guard let index = left[finding.fingerprint]?.popLast() else { return true }
      isAnswered[index] = true
      return false
    }
    return (fresh, entries.indices.filter { !isAnswered[$0] }.map { entries[$0] })
  }

  /// The findings as a baseline, one line each so that merges are easy, sorted by what no edit of other lines changes.
  public static func text(_ findings: [Finding]) -> String {
    // A fingerprint is made whenever it is asked for.
    let lines = findings.map { (finding: $0, fingerprint: $0.fingerprint) }.sorted {
      ($0.finding.location.file, $0.finding.rule, $0.finding.function, $0.fingerprint) < (
        $1.finding.location.file, $1.finding.rule, $1.finding.function, $1.fingerprint
      )
    }.map { finding, fingerprint in
      "    {\"rule\": \(JSONText.quoted(finding.rule)), \"file\": \(JSONText.quoted(finding.location.file)), "
        + "\"function\": \(JSONText.quoted(finding.function)), \"fingerprint\": "
        + "\(JSONText.quoted(fingerprint))}"
    }
    let body = lines.isEmpty ? "" : "\n" + lines.joined(separator: ",\n") + "\n  "
    return "{\n  \"schema\": \"\(schema)\",\n  \"findings\": [\(body)]\n}\n"
  }
}

extension Baseline.Entry {
  /// What is reported of an entry that no finding answers to any more, where the findings of a baseline were expected, no
  /// fewer and no more.
  func finding(in package: String, of baseline: Baseline) -> Finding {
    let holder = function.isEmpty ? file : "\(function) in \(file)"
    return Finding(
      rule: ToolRules.expected.id, code: ToolRules.expected.code, severity: .warning, confidence: .high,
      message: "\(rule) is expected of \(holder), and was not found",
      action:
        "bring back what it finds, or accept that it is gone: mainstay audit \(package) --write-baseline "
        + baseline.path,
      function: function, symbol: "", isolation: "",
      location: SourceLocation(file: baseline.path, line: line, column: 1), path: [], roots: [],
      subject: "\(rule) \(fingerprint)")
  }
}
