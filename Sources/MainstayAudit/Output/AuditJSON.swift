/// An audit as `mainstay.audit/1`: the contract of `Documentation/Output.md`.
import MainstayFindings

public enum AuditJSON {
  public static func text(_ result: AuditResult) -> String {
    JSONText.text(
      .object([
        ("schema", .string("mainstay.audit/1")),
        ("toolchain", .string(result.toolchain)),
        (
          "coverage",
          .object([
            (
              "modules",
              .array(
                result.modules.map {
                  .object([
                    ("name", .string($0.name)), ("source", .string($0.source.rawValue)),
                    ("reason", $0.reason.map { .string($0) } ?? .null), ("functions", .number($0.functions)),
                  ])
                })
            ),
            ("filesParsed", .number(result.filesParsed)),
            ("notes", .array(result.notes.map { .string($0) })),
          ])
        ),
        ("findings", .array(result.findings.map { finding($0) })),
      ]))
  }

  private static func finding(_ finding: Finding) -> JSONText.Value {
    .object([
      ("rule", .string(finding.rule)), ("code", .string(finding.code)),
      ("severity", .string(finding.severity.rawValue)), ("confidence", .string(finding.confidence.rawValue)),
      ("message", .string(finding.message)), ("action", .string(finding.action)),
      ("fingerprint", .string(finding.fingerprint)), ("function", .string(finding.function)),
      ("symbol", .string(finding.symbol)), ("isolation", .string(finding.isolation)),
      ("location", location(finding.location)),
      (
        "path",
        .array(
          finding.path.map {
            .object([
              ("file", .string($0.location.file)), ("line", .number($0.location.line)),
              ("column", .number($0.location.column)), ("text", .string($0.text)),
            ])
          })
      ),
      ("roots", .array(finding.roots.map { .string($0) })),
      ("jobs", .array(finding.jobs.map { job($0) })),
    ])
  }

  /// What `mainstay report` finds a job again by.
  private static func job(_ job: JobKey) -> JSONText.Value {
    .object([
      ("function", .string(job.function)), ("symbol", .string(job.symbol)), ("file", .string(job.location.file)),
      ("line", .number(job.location.line)), ("column", .number(job.location.column)), ("ordinal", .number(job.ordinal)),
      ("executor", .string(job.executor)), ("isCaller", .bool(job.isCaller)),
    ])
  }

  private static func location(_ location: SourceLocation) -> JSONText.Value {
    .object([
      ("file", .string(location.file)), ("line", .number(location.line)), ("column", .number(location.column)),
    ])
  }
}
