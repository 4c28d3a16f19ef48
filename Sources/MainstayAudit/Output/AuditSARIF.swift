/// An audit as SARIF 2.1.0: every rule in the driver, a code flow for every path, fingerprints that survive edits.
import MainstayFindings

public enum AuditSARIF {
  public static func text(_ result: AuditResult) -> String {
    JSONText.text(
      .object([
        ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
        ("version", .string("2.1.0")),
        ("runs", .array([run(result)])),
      ]))
  }

  private static func run(_ result: AuditResult) -> JSONText.Value {
    .object([
      (
        "tool",
        .object([
          (
            "driver",
            .object([
              ("name", .string("mainstay")), ("semanticVersion", .string("0.1.0")),
              ("rules", .array((RuleCatalogue.documentation + ToolRules.all).map { rule($0) })),
            ])
          )
        ])
      ),
      (
        "invocations",
        .array([
          .object([
            ("executionSuccessful", .bool(result.isComplete)),
            ("toolExecutionNotifications", .array(notifications(result))),
          ])
        ])
      ),
      ("columnKind", .string("utf16CodeUnits")),
      (
        "originalUriBaseIds",
        .object([
          (
            "ROOT",
            .object([
              (
                "description",
                text(
                  "what the paths of files begin at: the working directory, or the package where that lies elsewhere")
              )
            ])
          )
        ])
      ),
      ("results", .array(result.findings.map { entry($0) })),
    ])
  }

  private static func rule(_ rule: RuleDocumentation) -> JSONText.Value {
    .object([
      ("id", .string(rule.code)), ("name", .string(rule.id)), ("shortDescription", text(rule.claim)),
      ("fullDescription", text(rule.claim + " Silent on: " + rule.exemptions)), ("help", text(rule.fix)),
      ("defaultConfiguration", .object([("level", .string(level(rule.severity)))])),
    ])
  }

  private static func notifications(_ result: AuditResult) -> [JSONText.Value] {
    let gaps = result.gaps.map { gap in
      JSONText.Value.object([
        ("level", .string(gap.isUnread ? "error" : gap.isUnexpected ? "warning" : "note")),
        ("message", text(gap.sentence)),
      ])
    }
    return gaps + result.notes.map { .object([("level", .string("note")), ("message", text($0))]) }
  }

  private static func entry(_ finding: Finding) -> JSONText.Value {
    var members: [(String, JSONText.Value)] = [
      ("ruleId", .string(finding.code)), ("level", .string(level(finding.severity))),
      ("message", text("\(finding.message). \(finding.action)")),
      ("locations", .array([location(finding.location, nil)])),
      ("partialFingerprints", .object([("mainstay/v1", .string(finding.fingerprint))])),
    ]
    if !finding.path.isEmpty {
      let steps = finding.path.map { JSONText.Value.object([("location", location($0.location, $0.text))]) }
      members.append(
        ("codeFlows", .array([.object([("threadFlows", .array([.object([("locations", .array(steps))])]))])])))
    }
    members.append(
      (
        "properties",
        .object([
          ("confidence", .string(finding.confidence.rawValue)), ("function", .string(finding.function)),
          ("isolation", .string(finding.isolation)),
        ])
      ))
    return .object(members)
  }

  private static func location(_ location: SourceLocation, _ message: String?) -> JSONText.Value {
    var members: [(String, JSONText.Value)] = [
      (
        "physicalLocation",
        .object([
          ("artifactLocation", .object([("uri", .string(uri(location.file))), ("uriBaseId", .string("ROOT"))])),
          (
            "region",
            .object([("startLine", .number(max(1, location.line))), ("startColumn", .number(max(1, location.column)))])
          ),
        ])
      )
    ]
    if let message { members.append(("message", text(message))) }
    return .object(members)
  }

  private static func text(_ text: String) -> JSONText.Value { .object([("text", .string(text))]) }

  private static func level(_ severity: Severity) -> String { severity.rawValue }

  /// A relative path as a URI: everything that a URI would read otherwise is escaped.
  private static func uri(_ path: String) -> String {
    var out = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"):
        out.append(Character(UnicodeScalar(byte)))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        out += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return out
  }
}
