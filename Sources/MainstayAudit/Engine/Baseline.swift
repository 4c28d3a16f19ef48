/// Findings that a project has accepted: each by rule, function and file, which no edit of other lines changes.
import Foundation
import MainstayFindings

public struct Baseline: Sendable, Hashable {
  private struct File: Codable {
    var schema: String
    var findings: [Entry]
  }
  struct Entry: Codable, Sendable, Hashable {
    var rule: String
    var file: String
    var function: String
    var fingerprint: String
  }
  /// An entry that no finding answers to any more.
  struct Gone: Sendable, Hashable {
    var entry: Entry
    /// Where the baseline holds it.
    var location: SourceLocation
  }

  private static let schema = "mainstay.baseline/1"

  let path: String
  private let entries: [Gone]

  /// - Throws: `AuditFailure` when the file is not a baseline of this version.
  static func read(_ path: String) throws -> Baseline {
    guard let data = FileManager.default.contents(atPath: path) else {
      let (isThere, isFolder) = WrittenFile.state(of: path)
      throw AuditFailure(
        kind: .usage,
        message: isThere
          ? "cannot read the baseline '\(path)'\(isFolder ? ": it is a folder" : "")"
          : "there is no baseline '\(path)'",
        advice: isThere ? "name a file that --write-baseline wrote" : "write it with --write-baseline \(path)")
    }
    let found = (try? JSONSerialization.jsonObject(with: data) as? [String: Any])?["schema"] as? String
    if let found, found != schema, found.hasPrefix("mainstay.baseline/") {
      throw AuditFailure(
        kind: .usage, message: "'\(path)' is of another version: \(found), and this is \(schema)",
        advice: "write it anew with --write-baseline \(path), and look at what changes")
    }
    if found == nil, !data.isEmpty {
      // What a merge left in it, most often.
      do { _ = try JSON5.parse(String(decoding: data, as: UTF8.self)) } catch {
        throw AuditFailure(
          kind: .usage, message: "'\(path)' is damaged at line \(error.line): \(error.reason)",
          advice: "mend that line, or accept today's findings anew with --write-baseline \(path)")
      }
    }
    guard found == schema, let file = try? JSONDecoder().decode(File.self, from: data) else {
      throw AuditFailure(
        kind: .usage, message: "'\(path)' is no baseline of this tool",
        advice: "name a file that --write-baseline wrote")
    }
    return Baseline(path: path, entries: located(file.findings, in: String(decoding: data, as: UTF8.self), path))
  }

  /// Each entry with the line that holds its fingerprint; equal ones share their lines in order.
  private static func located(_ entries: [Entry], in text: String, _ path: String) -> [Gone] {
    var lines: [String: [Int]] = [:]
    for (number, line) in SourceLines.split(text).enumerated() {
      guard let mark = line.firstRange(of: "\"fingerprint\"") else { continue }
      let parts = line[mark.upperBound...].split(separator: "\"")
      if parts.count > 1 { lines[String(parts[1]), default: []].append(number + 1) }
    }
    return entries.map { entry in
      let line = lines[entry.fingerprint]?.first ?? 1
      lines[entry.fingerprint]?.removeFirst()
      return Gone(entry: entry, location: SourceLocation(file: path, line: line, column: 1))
    }
  }

  /// Each entry answers for one finding: a second one of the same kind in the same function is new.
  ///
  /// - Returns: the findings that no entry answers for, and the entries that answered for none.
  func compared(with findings: [Finding]) -> (fresh: [Finding], gone: [Gone]) {
    var left = Dictionary(grouping: entries, by: \.entry.fingerprint)
    var fresh: [Finding] = []
    for finding in findings {
      if left[finding.fingerprint]?.isEmpty == false {
        left[finding.fingerprint]?.removeFirst()
      } else {
        fresh.append(finding)
      }
    }
    let gone = Set(left.values.flatMap { $0 })
    return (fresh, entries.filter { gone.contains($0) })
  }

  /// The findings as a baseline, one line each so that merges are easy, sorted by what no edit of other lines changes.
  public static func text(_ findings: [Finding]) -> String {
    let lines = findings.sorted {
      ($0.location.file, $0.rule, $0.function, $0.fingerprint) < (
        $1.location.file, $1.rule, $1.function, $1.fingerprint
      )
    }.map { finding in
      "    {\"rule\": \(JSONText.quoted(finding.rule)), \"file\": \(JSONText.quoted(finding.location.file)), "
        + "\"function\": \(JSONText.quoted(finding.function)), \"fingerprint\": "
        + "\(JSONText.quoted(finding.fingerprint))}"
    }
    let body = lines.isEmpty ? "" : "\n" + lines.joined(separator: ",\n") + "\n  "
    return "{\n  \"schema\": \"\(schema)\",\n  \"findings\": [\(body)]\n}\n"
  }
}

extension Baseline.Gone {
  /// What is reported where the findings of a file were expected, no fewer and no more.
  func finding(in package: String) -> Finding {
    let holder = entry.function.isEmpty ? entry.file : "\(entry.function) in \(entry.file)"
    return Finding(
      rule: ToolRules.expected.id, code: ToolRules.expected.code, severity: .warning, confidence: .high,
      message: "\(entry.rule) is expected of \(holder), and was not found",
      action:
        "bring back what it finds, or accept that it is gone: mainstay audit \(package) --write-baseline "
        + location.file,
      function: entry.function, symbol: "", isolation: "", location: location, path: [], roots: [],
      subject: "\(entry.rule) \(entry.fingerprint)")
  }
}
