/// What the join reads of an audit: a document `mainstay.audit/1`, as Documentation/Output.md describes it.
import Foundation
import MainstayFindings

public struct AuditDocument: Sendable, Hashable {
  public struct Finding: Sendable, Hashable {
    public var rule: String
    public var severity: Severity
    public var message: String
    public var action: String
    public var fingerprint: String
    public var function: String
    public var symbol: String
    public var location: SourceLocation
    /// The places on the way to the defect.
    public var path: [SourceLocation]
    /// The jobs in which the defect does its harm.
    public var jobs: [JobKey]
  }

  /// The modules that were read.
  public var modules: [String]
  public var findings: [Finding]

  public init(modules: [String], findings: [Finding]) {
    self.modules = modules
    self.findings = findings
  }

  /// - Parameter name: what to call the document in an error.
  /// - Throws: `ReportError` when the bytes are not such a document.
  public init(_ data: Data, name: String) throws(ReportError) {
    let schema = try Self.decode(Schema.self, data, name).schema
    guard schema == "mainstay.audit/1" else { throw .notAnAudit(name, schema: schema) }
    let document = try Self.decode(Document.self, data, name)
    modules = document.coverage.modules.filter { $0.source != "none" }.map(\.name)
    findings = document.findings.map(Finding.init)
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, _ data: Data, _ name: String
  ) throws(ReportError) -> Value {
    do { return try JSONDecoder().decode(type, from: data) } catch { throw .damaged(name, Self.place(of: error)) }
  }

  /// Where in a document something is not as it should be, in words that name the field.
  static func place(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "it is no JSON" }
    let context: DecodingError.Context
    switch error {
    case .keyNotFound(let key, let found): return "\(path(found.codingPath + [key])) is missing"
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found): context = found
    @unknown default: return "it is not readable"
    }
    return context.codingPath.isEmpty ? "it is no JSON" : "\(path(context.codingPath)) is not what it should be"
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "") { text, key in
      if let index = key.intValue { text += "[\(index)]" } else { text += (text.isEmpty ? "" : ".") + key.stringValue }
    }
  }
}

/// The document's own shape: only what the join needs, so that fields may be added.
private struct Schema: Decodable {
  var schema: String?
}

private struct Document: Decodable {
  struct Coverage: Decodable { var modules: [Module] }
  struct Module: Decodable {
    var name: String
    var source: String
  }
  struct Finding: Decodable {
    var rule: String
    var severity: Severity
    var message: String
    var action: String
    var fingerprint: String
    var function: String
    var symbol: String
    var location: SourceLocation
    var path: [SourceLocation]
    var jobs: [Job]?
  }
  struct Job: Decodable {
    var function: String
    var symbol: String
    var file: String
    var line: Int
    var column: Int
    var ordinal: Int
    var executor: String
    var isCaller: Bool?
  }
  var coverage: Coverage
  var findings: [Finding]
}

extension AuditDocument.Finding {
  fileprivate init(_ finding: Document.Finding) {
    self.init(
      rule: finding.rule, severity: finding.severity, message: finding.message, action: finding.action,
      fingerprint: finding.fingerprint, function: finding.function, symbol: finding.symbol, location: finding.location,
      path: finding.path,
      jobs: (finding.jobs ?? []).map { job in
        JobKey(
          function: job.function, symbol: job.symbol,
          location: SourceLocation(file: job.file, line: job.line, column: job.column), ordinal: job.ordinal,
          executor: job.executor, isCaller: job.isCaller ?? false)
      })
  }
}
