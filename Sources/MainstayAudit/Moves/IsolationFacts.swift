/// Where every function runs and what was found, as a document that another state of the package is compared with.
import Foundation
import MainstayFindings

public struct IsolationFacts: Sendable, Hashable, Codable {
  public struct Function: Sendable, Hashable, Codable {
    /// The linker's name where the compiler was asked; the source's spelling otherwise.
    public var name: String
    public var display: String
    public var module: String
    /// `nonisolated`, `caller`, `unknown`, a global actor's name, `self` or `parameter`.
    public var isolation: String
    public var file: String
    public var line: Int
  }

  public struct Known: Sendable, Hashable, Codable {
    public var fingerprint: String
    public var rule: String
    public var severity: String
    public var message: String
    public var file: String
    public var line: Int
  }

  public var schema = IsolationFacts.current
  public var toolchain: String
  public var functions: [Function]
  public var findings: [Known]

  public static let current = "mainstay.facts/1"

  init(_ program: Program, _ result: AuditResult, relative: (String) -> String) {
    toolchain = result.toolchain
    functions = program.functions.filter { program.isOwn($0) }.map { function in
      Function(
        name: function.name, display: function.display, module: function.module,
        isolation: IsolationFacts.spelled(function.isolation), file: relative(function.location.file),
        line: function.location.line)
    }
    findings = result.findings.map {
      Known(
        fingerprint: $0.fingerprint, rule: $0.rule, severity: $0.severity.rawValue, message: $0.message,
        file: $0.location.file, line: $0.location.line)
    }
  }

  static func spelled(_ isolation: Isolation) -> String {
    switch isolation {
    case .unknown, .nonisolated: "nonisolated"
    case .caller: "caller"
    case .globalActor(let name): name
    case .selfActor: "self"
    case .parameter: "parameter"
    }
  }

  public var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? ""
  }

  /// - Throws: `AuditFailure` when the file is not such a document.
  public static func read(_ path: String) throws -> IsolationFacts {
    let document = KeptDocument(path: path, schema: current, name: "list of facts", option: "--write-facts")
    let data = try document.read().data
    guard let facts = try? JSONDecoder().decode(IsolationFacts.self, from: data) else {
      throw document.foreign
    }
    return facts
  }
}
