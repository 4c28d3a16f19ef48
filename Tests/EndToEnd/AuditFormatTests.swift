import Foundation
import Testing

/// Every format of `mainstay audit`, as the built tool writes it of a package with three findings.
@Suite("mainstay audit --format", .timeLimit(.minutes(60)))
struct AuditFormatTests {
  /// The findings' lines, in the order of the file.
  private static let markers = ["planted: 2 ms", "planted: never run", "sink: 80 ms"]
  private static let file = "Sources/Joined/Joined.swift"

  private func audited(_ format: String) async throws -> (text: String, lines: [Int]) {
    let package = try await FixturePackage.named("Joined")
    _ = try await package.audit()
    let outcome = try await Tool.run(["audit", package.folder, "--format", format])
    #expect(outcome.end == .exited(2) && outcome.errors == "", "\(outcome.errors)")
    #expect(outcome.text.hasSuffix("\n") && !outcome.text.hasSuffix("\n\n"))
    #expect(!outcome.text.contains("\u{1b}"), "no colour where there is no terminal")
    #expect(!outcome.text.contains(package.folder), "a place is relative to the package")
    return (outcome.text, try Self.markers.map { try package.line($0) })
  }

  private func documents(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("text lays each chain out below its finding, within 80 columns, and ends in a verdict")
  func text() async throws {
    let (text, lines) = try await audited("text")
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(rows.first == Self.file, "findings are grouped by file")
    #expect(rows.allSatisfy { $0.count <= 80 }, "\(rows.filter { $0.count > 80 })")
    for line in lines {
      #expect(rows.contains { $0.hasPrefix("  \(line):5") && $0.contains("warning  main_actor_blocking") }, "\(text)")
    }
    let chain = rows.drop { !$0.contains("Screen.load()") }.prefix(5).map { $0.drop { $0 == " " } }
    #expect(
      chain.map { String($0.split(separator: " ").dropFirst().joined(separator: " ")) }.dropFirst().prefix(3)
        == ["calls Device.reset()", "calls Device.settle()", "calls usleep(_:): it sleeps"], "\(text)")
    #expect(text.contains("\n3 warnings in 1 module ("), "\(text)")
    #expect(text.contains("Silence one with: // mainstay:disable:next <rule> - <reason>"))
  }

  @Test("json has its schema, its coverage and every field of a finding")
  func json() async throws {
    let (text, lines) = try await audited("json")
    let document = try documents(text)
    #expect(document["schema"] as? String == "mainstay.audit/1")
    let coverage = try #require(document["coverage"] as? [String: Any])
    let modules = try #require(coverage["modules"] as? [[String: Any]])
    #expect(modules.map { $0["name"] as? String } == ["Joined"] && modules.first?["source"] as? String == "sil")
    let findings = try #require(document["findings"] as? [[String: Any]])
    #expect(findings.compactMap { ($0["location"] as? [String: Any])?["line"] as? Int } == lines)
    for finding in findings {
      let fields: Set = [
        "rule", "code", "severity", "confidence", "message", "action", "fingerprint", "function", "symbol", "isolation",
        "location", "path", "roots", "jobs",
      ]
      #expect(fields == Set(finding.keys))
      for job in try #require(finding["jobs"] as? [[String: Any]]) {
        #expect(["function", "symbol", "file", "line", "column", "ordinal", "executor", "isCaller"] == Set(job.keys))
      }
    }
  }

  /// The properties that SARIF 2.1.0 requires, and those that code scanning needs of it.
  @Test("sarif has the required shape: driver, rules, results with places, code flows and fingerprints")
  func sarif() async throws {
    let (text, lines) = try await audited("sarif")
    let document = try documents(text)
    #expect(document["version"] as? String == "2.1.0")
    #expect((document["$schema"] as? String)?.hasPrefix("https://") == true)
    let runs = try #require(document["runs"] as? [[String: Any]])
    try #require(runs.count == 1)
    let driver = try #require((runs[0]["tool"] as? [String: Any])?["driver"] as? [String: Any])
    #expect(driver["name"] as? String == "mainstay")
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let identifiers = rules.compactMap { $0["id"] as? String }
    #expect(Set(identifiers).count == rules.count, "an id is there once")
    for rule in rules {
      for key in ["shortDescription", "fullDescription", "help"] where rule[key] != nil {
        #expect(((rule[key] as? [String: Any])?["text"] as? String)?.isEmpty == false, "\(rule["id"] ?? "") \(key)")
      }
      #expect(rule["shortDescription"] != nil && rule["name"] is String)
      let level = (rule["defaultConfiguration"] as? [String: Any])?["level"] as? String
      #expect(["none", "note", "warning", "error"].contains(level))
    }
    let bases = try #require(runs[0]["originalUriBaseIds"] as? [String: Any])
    #expect(["utf16CodeUnits", "unicodeCodePoints"].contains(runs[0]["columnKind"] as? String))
    for invocation in try #require(runs[0]["invocations"] as? [[String: Any]]) {
      #expect(invocation["executionSuccessful"] as? Bool == true)
    }
    let results = try #require(runs[0]["results"] as? [[String: Any]])
    for result in results {
      #expect(identifiers.contains(try #require(result["ruleId"] as? String)))
      #expect(["none", "note", "warning", "error"].contains(result["level"] as? String))
      #expect(((result["message"] as? [String: Any])?["text"] as? String)?.isEmpty == false)
      let places = try #require(result["locations"] as? [[String: Any]])
      try place(try #require(places.first), bases)
      let prints = try #require(result["partialFingerprints"] as? [String: String])
      #expect(!prints.isEmpty)
      let flows = try #require(result["codeFlows"] as? [[String: Any]])
      for flow in flows {
        for thread in try #require(flow["threadFlows"] as? [[String: Any]]) {
          let steps = try #require(thread["locations"] as? [[String: Any]])
          #expect(!steps.isEmpty)
          for step in steps {
            let location = try #require(step["location"] as? [String: Any])
            try place(location, bases)
            #expect((location["message"] as? [String: Any])?["text"] is String)
          }
        }
      }
    }
    let found = results.compactMap { result in
      let places = result["locations"] as? [[String: Any]]
      return ((places?.first?["physicalLocation"] as? [String: Any])?["region"] as? [String: Any])?["startLine"] as? Int
    }
    #expect(found == lines)
  }

  private func place(_ location: [String: Any], _ bases: [String: Any]) throws {
    let physical = try #require(location["physicalLocation"] as? [String: Any])
    let artifact = try #require(physical["artifactLocation"] as? [String: Any])
    #expect(artifact["uri"] as? String == Self.file)
    if let base = artifact["uriBaseId"] as? String { #expect(bases[base] != nil) }
    let region = try #require(physical["region"] as? [String: Any])
    #expect((region["startLine"] as? Int ?? 0) >= 1 && (region["startColumn"] as? Int ?? 0) >= 1)
  }

  @Test("github is one workflow command a finding, with file, line, column and title")
  func github() async throws {
    let (text, lines) = try await audited("github")
    let commands = text.split(separator: "\n")
    let expected = lines.map { "::warning file=\(Self.file),line=\($0),col=5,title=MS101 main_actor_blocking::" }
    try #require(commands.count == expected.count)
    for (command, start) in zip(commands, expected) { #expect(command.hasPrefix(start), "\(command)") }
    #expect(commands.allSatisfy { $0.contains("%0A→ ") }, "line ends are escaped")
  }

  @Test("xcode is a diagnostic a finding, and a note a step")
  func xcode() async throws {
    let (text, lines) = try await audited("xcode")
    let diagnostics = text.split(separator: "\n").map(String.init)
    #expect(
      diagnostics.allSatisfy { try! Regex(#"^[^:]+:\d+:\d+: (error|warning|note): .+$"#).wholeMatch(in: $0) != nil })
    let warnings = diagnostics.filter { $0.contains(": warning: ") }
    #expect(warnings.map { String($0.prefix { $0 != " " }) } == lines.map { "\(Self.file):\($0):5:" })
    #expect(diagnostics.count { $0.contains(": note: ") } == 5)
  }

  @Test("checkstyle is well-formed, an error a finding below its file")
  func checkstyle() async throws {
    let (text, lines) = try await audited("checkstyle")
    #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<checkstyle version=\"4.3\">\n"))
    var open: [Substring] = []
    for tag in text.matches(of: /<(\/?)([a-z]+)((?: [a-z]+="[^"<>]*")*)(\/?)>/) {
      if !tag.1.isEmpty {
        let last = open.popLast()
        #expect(last == tag.2)
      } else if tag.4.isEmpty {
        open.append(tag.2)
      } else {
        #expect(open == ["checkstyle", "file"] && tag.2 == "error")
      }
    }
    #expect(open.isEmpty)
    #expect(!text.contains(/&(?!amp;|lt;|gt;|quot;|apos;)/), "an ampersand is escaped")
    let found = text.matches(
      of: /<error line="(\d+)" column="5" severity="warning" message="[^"]+" source="mainstay\.main_actor_blocking"\/>/)
    #expect(found.compactMap { Int($0.1) } == lines)
  }

  @Test("markdown is one table, a row a finding, with as many cells as its head")
  func markdown() async throws {
    let (text, lines) = try await audited("markdown")
    let rows = text.split(separator: "\n").map { $0.replacing("\\|", with: "") }
    try #require(rows.count == lines.count + 2)
    #expect(rows.allSatisfy { $0.hasPrefix("|") && $0.hasSuffix("|") && $0.split(separator: "|").count == 5 })
    for (row, line) in zip(rows.dropFirst(2), lines) { #expect(row.contains("`\(Self.file):\(line)`")) }
  }

  @Test("--output writes the same there, and nothing to stdout")
  func output() async throws {
    let package = try await FixturePackage.named("Joined")
    _ = try await package.audit()
    for format in ["json", "sarif", "github", "xcode", "checkstyle", "markdown"] {
      let file = "\(try TestFolder.make())/audit"
      let written = try await Tool.run(["audit", package.folder, "--format", format, "--output", file])
      #expect(written.end == .exited(2) && written.text == "")
      let shown = try await Tool.run(["audit", package.folder, "--format", format])
      #expect(try String(contentsOfFile: file, encoding: .utf8) == shown.text, "\(format)")
    }
  }

  @Test("is the same bytes with one job and two, without a cache, with an empty one and with a full one")
  func sameBytes() async throws {
    let package = try FixturePackage.copy("Interleaved")
    _ = try await package.program(.debug)
    let cache = "\(package.folder)/.build/mainstay"
    for reading in [[], ["--source-only"]] {
      for format in ["json", "sarif"] {
        var outputs: [Data] = []
        for options in [
          ["--jobs", "1", "--no-cache"], ["--jobs", "2", "--no-cache"], ["--jobs", "2"], ["--jobs", "1"],
        ] {
          if options == ["--jobs", "2"] { try? FileManager.default.removeItem(atPath: cache) }
          let outcome = try await Tool.run(["audit", package.folder, "--format", format] + reading + options)
          #expect([.exited(0), .exited(2)].contains(outcome.end), "\(outcome.errors)")
          outputs.append(outcome.output)
        }
        #expect(Set(outputs).count == 1, "\(reading) \(format)")
        #expect(FileManager.default.fileExists(atPath: cache), "a cache was made")
      }
    }
  }
}
