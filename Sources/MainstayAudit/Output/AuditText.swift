/// An audit for a person: findings grouped by file, each with its chain laid out, then one line of verdict.
import Foundation
import Mainstay
import MainstayFindings

public struct AuditText: Sendable {
  /// Columns to keep within; 40 at least.
  private let width: Int
  private let colour: Bool

  public init(width: Int = 80, colour: Bool = false) {
    self.width = max(40, min(width, 120))
    self.colour = colour
  }

  public func text(_ result: AuditResult) -> String {
    var out = coverageProblems(result)
    var file = ""
    for finding in result.findings {
      if finding.location.file != file {
        file = finding.location.file
        out += (out.isEmpty ? "" : "\n") + style(PlainText.of(file), .bold) + "\n"
      } else {
        out += "\n"
      }
      out += text(finding)
    }
    if !out.isEmpty { out += "\n" }
    out += verdict(result)
    return out
  }

  // MARK: One finding

  private static let margin = "         "

  private func text(_ finding: Finding) -> String {
    let place = "\(finding.location.line):\(finding.location.column)"
    var out = wrapped(
      "  " + padded(place, 6) + " " + severity(finding.severity) + "  " + finding.rule + "  " + finding.message)
    let function = finding.function.isEmpty ? "" : clipped(finding.function, width - 12)
    if !function.isEmpty {
      out += wrapped(AuditText.margin + function + isolation(finding))
    }
    let column = finding.path.map { stepPlace($0, finding).count }.max() ?? 0
    for step in finding.path {
      out += wrapped(
        AuditText.margin + "  " + padded(stepPlace(step, finding), column) + "  " + step.text, hang: column + 13)
    }
    if finding.roots.count > 1 {
      let others = finding.roots.filter { $0 != finding.function }
      if let first = others.first {
        let more = others.count > 1 ? " and \(others.count - 1) more" : ""
        out += wrapped(AuditText.margin + "also reached by " + first + more)
      }
    }
    out += wrapped(AuditText.margin + "→ " + finding.action)
    return out
  }

  /// Where the function runs. What is on no actor is `nonisolated`, not "on nonisolated".
  private func isolation(_ finding: Finding) -> String {
    if finding.isolation.isEmpty { return "" }
    return finding.isolation.hasPrefix("nonisolated") ? "  \(finding.isolation)" : "  on \(finding.isolation)"
  }

  /// A step's line and column, with its file when that is another one than the finding's.
  private func stepPlace(_ step: PathStep, _ finding: Finding) -> String {
    let place = "\(step.location.line):\(step.location.column)"
    guard step.location.file != finding.location.file else { return place }
    let name = step.location.file.split(separator: "/").last.map(String.init) ?? step.location.file
    return "\(name):\(place)"
  }

  private func severity(_ severity: Severity) -> String {
    switch severity {
    case .note: style("note", .cyan)
    case .warning: style("warning", .yellow)
    case .error: style("error", .red)
    }
  }

  // MARK: The verdict

  private func coverageProblems(_ result: AuditResult) -> String {
    var out = ""
    for gap in result.gaps { out += wrapped(gap.sentence, hang: 2) }
    for note in result.notes { out += wrapped(note, hang: 2) }
    return out
  }

  private func verdict(_ result: AuditResult) -> String {
    var counts: [String] = []
    for severity in Severity.allCases.reversed() {
      let count = result.findings.count { $0.severity == severity }
      if count > 0 { counts.append("\(count) \(severity.rawValue)\(count == 1 ? "" : "s")") }
    }
    let analysed = result.modules.filter { $0.source != .none }
    let compiled = analysed.filter { $0.source == .sil }.reduce(0) { $0 + $1.functions }
    let parsed = analysed.filter { $0.source == .syntax }.reduce(0) { $0 + $1.functions }
    let modules = "\(analysed.count) module\(analysed.count == 1 ? "" : "s")"
    let known = result.known > 0 ? "; \(result.known) known from the baseline" : ""
    let covered =
      "\(modules) (\(DurationText.count(compiled)) functions from the compiler, \(DurationText.count(parsed)) from source only), "
      + "\(DurationText.seconds(result.seconds))"
    let head = counts.isEmpty ? "Nothing found in" : counts.joined(separator: ", ") + " in"
    var out = wrapped("\(head) \(covered)\(known).", hang: 0)
    if !result.findings.isEmpty {
      out += wrapped("Silence one with: // mainstay:disable:next <rule> - <reason>", hang: 2)
    }
    return out
  }

  // MARK: Layout

  private enum Style: String { case bold = "1", red = "31", yellow = "33", cyan = "36" }

  private func style(_ text: String, _ style: Style) -> String {
    colour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  private func padded(_ text: String, _ count: Int) -> String {
    text + String(repeating: " ", count: max(0, count - text.count))
  }

  private func clipped(_ text: String, _ count: Int) -> String {
    text.count <= count ? text : text.prefix(count - 1) + "…"
  }

  /// Breaks a line between words, and hangs what follows under its text.
  private func wrapped(_ line: String, hang: Int = 9) -> String {
    let line = printable(line)
    guard Self.columns(line) > width else { return line + "\n" }
    var out = ""
    var current = String(line.prefix { $0 == " " })
    var isFirstWord = true
    for word in Self.words(line.drop(while: { $0 == " " })) {
      if !isFirstWord, Self.columns(current) + 1 + Self.columns(word) > width {
        while current.last == " " { current.removeLast() }
        out += current + "\n"
        current = String(repeating: " ", count: hang) + word
      } else {
        current += isFirstWord ? word : " " + word
      }
      isFirstWord = false
    }
    return out + current + "\n"
  }

  /// A number stays with its unit.
  private static func words(_ text: Substring) -> [String] {
    var words: [String] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if ["s", "ms", "µs"].contains(word.prefix { !".,;:".contains($0) }), let last = words.popLast() {
        words.append("\(last) \(word)")
      } else {
        words.append(String(word))
      }
    }
    return words
  }

  private static let styles = Set(["1", "31", "33", "36", "0"].map { "\u{1B}[\($0)m" })

  /// How many columns a text takes: what only sets a style takes none.
  private static func columns(_ text: String) -> Int {
    guard text.contains("\u{1B}") else { return text.count }
    return styles.reduce(into: text) { $0 = $0.replacingOccurrences(of: $1, with: "") }.count
  }

  /// Names come from outside: nothing in them may steer a terminal. What sets a style of ours stays.
  private func printable(_ text: String) -> String {
    guard colour else { return PlainText.of(text) }
    var out = ""
    var rest = text[...]
    while let escape = rest.firstIndex(of: "\u{1B}") {
      out += PlainText.of(String(rest[..<escape]))
      let style = Self.styles.first { rest[escape...].unicodeScalars.starts(with: $0.unicodeScalars) } ?? ""
      out += style.isEmpty ? PlainText.of("\u{1B}") : style
      rest = Substring(rest[escape...].unicodeScalars.dropFirst(max(1, style.unicodeScalars.count)))
    }
    return out + PlainText.of(String(rest))
  }
}
