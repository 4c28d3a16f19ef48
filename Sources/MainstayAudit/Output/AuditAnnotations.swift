/// An audit as lines that a build shows beside the code: GitHub workflow commands, Xcode diagnostics, Checkstyle, Markdown.
import MainstayFindings

public enum AuditAnnotations {
  /// `::warning file=…,line=…::message`, as GitHub Actions reads it.
  public static func github(_ result: AuditResult) -> String {
    var out = ""
    for module in result.modules where module.source != .sil {
      let level = module.source == .none ? "error" : "warning"
      out += "::\(level)::\(data("\(module.name) was not read from the compiler: \(module.reason ?? "")"))\n"
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
    for module in result.modules where module.source == .none {
      out += "error: \(module.name) was not analysed: \(module.reason ?? "")\n"
    }
    for finding in result.findings {
      out += "\(place(finding.location)): \(finding.severity.rawValue): \(finding.message) (\(finding.rule))\n"
      for step in finding.path { out += "\(place(step.location)): note: \(step.text)\n" }
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
    return out + "</checkstyle>\n"
  }

  public static func markdown(_ result: AuditResult) -> String {
    guard !result.findings.isEmpty else { return "No findings.\n" }
    var out = "| where | rule | finding | what to do |\n|---|---|---|---|\n"
    for finding in result.findings {
      let cells = [
        "`\(finding.location.file):\(finding.location.line)`", "\(finding.code) `\(finding.rule)`", finding.message,
        finding.action,
      ]
      out += "| " + cells.map { $0.split(separator: "|").joined(separator: "\\|") }.joined(separator: " | ") + " |\n"
    }
    return out
  }

  private static func place(_ location: SourceLocation) -> String {
    "\(location.file):\(max(1, location.line)):\(max(1, location.column))"
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
      default: out.append(character)
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
      default: out.append(character)
      }
    }
    return out
  }
}
