/// Findings that a project has accepted: their fingerprints, which no edit of other lines changes.
import Foundation
import MainstayFindings

public enum Baseline {
  private struct File: Codable {
    var schema: String
    var findings: [Entry]
  }
  private struct Entry: Codable {
    var rule: String
    var file: String
    var function: String
    var fingerprint: String
  }

  /// - Throws: `AuditFailure` when the file is not a baseline.
  static func read(_ path: String) throws -> Set<String> {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw AuditFailure(
        kind: .usage, message: "cannot read the baseline '\(path)'", advice: "write one with --write-baseline \(path)")
    }
    guard let file = try? JSONDecoder().decode(File.self, from: data), file.schema == "mainstay.baseline/1" else {
      throw AuditFailure(
        kind: .usage, message: "'\(path)' is no baseline of this tool",
        advice: "write a new one with --write-baseline \(path)")
    }
    return Set(file.findings.map(\.fingerprint))
  }

  /// The findings as a baseline, one line each so that merges are easy.
  public static func text(_ findings: [Finding]) -> String {
    var lines: [String] = []
    var seen: Set<String> = []
    for finding in findings where seen.insert(finding.fingerprint).inserted {
      lines.append(
        "    {\"rule\": \(JSONText.quoted(finding.rule)), \"file\": \(JSONText.quoted(finding.location.file)), "
          + "\"function\": \(JSONText.quoted(finding.function)), \"fingerprint\": "
          + "\(JSONText.quoted(finding.fingerprint))}"
      )
    }
    return "{\n  \"schema\": \"mainstay.baseline/1\",\n  \"findings\": [\n" + lines.joined(separator: ",\n")
      + "\n  ]\n}\n"
  }
}
