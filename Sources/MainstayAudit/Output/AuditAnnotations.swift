/// An audit as lines that a build shows beside the code: GitHub workflow commands, Xcode diagnostics, Checkstyle, Markdown.
import MainstayFindings

public enum AuditAnnotations {
  /// `::warning file=…,line=…::message`, as GitHub Actions reads it.
  public static func github(_ result: AuditResult) -> String {
    var out = ""
    for gap in result.gaps where gap.isUnexpected {
      out += "::\(gap.isUnread ? "error" : "warning")::\(data(gap.sentence))\n"
    }
    for finding in result.findings {
      let level = finding.severity == .note ? "notice" : finding.severity.rawValue
      out += "::\(level) file=\(property(finding.location.file)),line=\(finding.location.line)"
      if finding.location.column > 0 { out += ",col=\(finding.location.column)" }
      out += ",title=\(property("\(finding.code) \(finding.rule)"))::\(data(detail(finding)))\n"
    }
    return out
  }

  /// `file:line:column: warning: message`, as Xcode and editors read it.
  public static func xcode(_ result: AuditResult) -> String {
    var out = ""
    for gap in result.gaps where gap.isUnexpected {
      out += "\(gap.isUnread ? "error" : "warning"): \(PlainText.of(gap.sentence))\n"
    }
    for finding in result.findings {
      let message = PlainText.of("\(finding.message) (\(finding.rule))")
      out += "\(place(finding.location)): \(finding.severity.rawValue): \(message)\n"
      for step in finding.path { out += "\(place(step.location)): note: \(PlainText.of(step.text))\n" }
    }
    return out
  }

  public static func checkstyle(_ result: AuditResult) -> String {
    var out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<checkstyle version=\"4.3\">\n"
    var file: String?
    for finding in result.findings {
      if finding.location.file != file {
        if file != nil { out += "  </file>\n" }
        file = finding.location.file
        out += "  <file name=\"\(xml(finding.location.file))\">\n"
      }
      let severity = finding.severity == .note ? "info" : finding.severity.rawValue
      out +=
        "    <error line=\"\(finding.location.line)\" column=\"\(finding.location.column)\" severity=\"\(severity)\" "
      out += "message=\"\(xml("\(finding.message). \(finding.action)"))\" source=\"mainstay.\(finding.rule)\"/>\n"
    }
    if file != nil { out += "  </file>\n" }
    for module in result.modules where module.source == .none || module.isDegraded {
      out += "  <file name=\"\(xml(module.name))\">\n    <error line=\"1\" column=\"1\" severity=\"warning\" "
      out += "message=\"\(xml(missing(module)))\" source=\"mainstay.coverage\"/>\n  </file>\n"
    }
    return out + "</checkstyle>\n"
  }

  public static func markdown(_ result: AuditResult) -> String {
    var out = ""
    for gap in result.gaps where gap.isUnexpected { out += "**\(MarkdownText.cell(gap.sentence))**\n\n" }
    guard !result.findings.isEmpty else { return out + "No findings.\n" }
    out += "| where | severity | rule | finding | what to do |\n|---|---|---|---|---|\n"
    for finding in result.findings {
      let cells = [
        MarkdownText.code("\(finding.location.file):\(finding.location.line)"), finding.severity.rawValue,
        "\(finding.code) \(MarkdownText.code(finding.rule))", MarkdownText.cell(finding.message),
        MarkdownText.cell(finding.action),
      ]
      out += "| " + cells.joined(separator: " | ") + " |\n"
    }
    return out
  }

  /// What a reader of findings alone would not know.
  private static func missing(_ module: AuditResult.Module) -> String {
    "\(module.name) was \(module.source == .none ? "not analysed" : "read from its source only"): "
      + (module.reason ?? "nobody knows why")
  }

  private static func place(_ location: SourceLocation) -> String {
    "\(PlainText.of(location.file)):\(max(1, location.line)):\(max(1, location.column))"
  }

  private static func detail(_ finding: Finding) -> String {
    var lines = [finding.message]
    for step in finding.path { lines.append("\(place(step.location)): \(step.text)") }
    lines.append("→ \(finding.action)")
    return lines.joined(separator: "\n")
  }

  private static func data(_ text: String) -> String { escaped(text, also: "") }
  private static func property(_ text: String) -> String { escaped(text, also: ":,") }

  private static func escaped(_ text: String, also extra: String) -> String {
    var out = ""
    for character in text {
      switch character {
      case "%": out += "%25"
      case "\n", "\r\n": out += "%0A"
      case "\r": out += "%0D"
      case ":" where extra.contains(":"): out += "%3A"
      case "," where extra.contains(","): out += "%2C"
      default: out += PlainText.of(String(character))
      }
    }
    return out
  }

  private static func xml(_ text: String) -> String {
    var out = ""
    for character in text {
      switch character {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&apos;"
      case "\n", "\r", "\r\n", "\t": out += " "
      // XML 1.0 has no way to write most control characters.
      default: out += PlainText.of(String(character))
      }
    }
    return out
  }
}
