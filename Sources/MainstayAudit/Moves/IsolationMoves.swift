/// What changed between two states of a package, or two settings of it: who moved onto the main actor, and who off it.

public struct IsolationMoves: Sendable, Hashable {
  public struct Move: Sendable, Hashable {
    public var display: String
    public var module: String
    public var before: String
    public var after: String
    public var file: String
    public var line: Int
  }

  public var ontoMain: [Move] = []
  public var offMain: [Move] = []
  /// Between other domains.
  public var elsewhere: [Move] = []
  public var newFindings: [IsolationFacts.Known] = []
  public var fixedFindings: [IsolationFacts.Known] = []
  /// Functions that only one of the two states has.
  public var added = 0
  public var removed = 0

  public init(from before: IsolationFacts, to after: IsolationFacts) {
    // A mangled name can change with what it mentions; module and spelling stay.
    func keyed(_ facts: IsolationFacts) -> [String: IsolationFacts.Function] {
      var seen: [String: Int] = [:]
      var result: [String: IsolationFacts.Function] = [:]
      for function in facts.functions {
        let key = "\(function.module) \(function.display)"
        let number = seen[key, default: 0]
        seen[key] = number + 1
        result[number == 0 ? key : "\(key) #\(number)"] = function
      }
      return result
    }
    let old = keyed(before)
    let new = keyed(after)
    for (key, function) in new.sorted(by: { $0.key < $1.key }) {
      guard let was = old[key] else {
        added += 1
        continue
      }
      guard was.isolation != function.isolation else { continue }
      let move = Move(
        display: function.display, module: function.module, before: was.isolation, after: function.isolation,
        file: function.file, line: function.line)
      if function.isolation == "MainActor" {
        ontoMain.append(move)
      } else if was.isolation == "MainActor" {
        offMain.append(move)
      } else {
        elsewhere.append(move)
      }
    }
    removed = old.keys.reduce(0) { new[$1] == nil ? $0 + 1 : $0 }
    newFindings = IsolationMoves.findings(in: after, butNot: before)
    fixedFindings = IsolationMoves.findings(in: before, butNot: after)
  }

  /// One finding answers for one of the same kind in the same function: a second one is another.
  private static func findings(in facts: IsolationFacts, butNot others: IsolationFacts) -> [IsolationFacts.Known] {
    var left: [String: Int] = [:]
    for finding in others.findings { left[finding.fingerprint, default: 0] += 1 }
    return facts.findings.filter { finding in
      guard let count = left[finding.fingerprint], count > 0 else { return true }
      left[finding.fingerprint] = count - 1
      return false
    }
  }

  public var isEmpty: Bool {
    ontoMain.isEmpty && offMain.isEmpty && elsewhere.isEmpty && newFindings.isEmpty && fixedFindings.isEmpty
  }

  /// Markdown for a pull request: a headline, and tables that stay short.
  public var markdown: String {
    var lines = ["## Isolation", "", headline]
    for (title, moves) in [
      ("Moved onto the main actor", ontoMain), ("Moved off the main actor", offMain),
      ("Moved between domains", elsewhere),
    ] where !moves.isEmpty {
      lines += ["", "### \(title)", "", "| function | before | after | where |", "|---|---|---|---|"]
      lines += moves.prefix(50).map {
        "| \(MarkdownText.code($0.display)) | \($0.before) | \($0.after) | \(MarkdownText.code("\($0.file):\($0.line)")) |"
      }
      if moves.count > 50 { lines += ["", "… and \(moves.count - 50) more."] }
    }
    for (title, findings) in [("New findings", newFindings), ("Fixed findings", fixedFindings)] where !findings.isEmpty
    {
      lines += ["", "### \(title)", "", "| rule | severity | where | what |", "|---|---|---|---|"]
      lines += findings.prefix(50).map {
        "| \(MarkdownText.code($0.rule)) | \($0.severity) | \(MarkdownText.code("\($0.file):\($0.line)")) | "
          + "\(MarkdownText.cell($0.message)) |"
      }
      if findings.count > 50 { lines += ["", "… and \(findings.count - 50) more."] }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var headline: String {
    if isEmpty { return "No function moved, and no finding came or went." }
    return "\(IsolationMoves.counted(ontoMain.count, "function")) onto the main actor, \(offMain.count) off it, "
      + "\(elsewhere.count) between other domains; \(newFindings.count) new and \(fixedFindings.count) fixed "
      + "\(fixedFindings.count == 1 && newFindings.count == 0 ? "finding" : "findings")."
  }

  private static func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}
