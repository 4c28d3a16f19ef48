import Foundation
import MainstayTrace
import Testing

/// Findings of the audit against what a run of the same program measured, through the built tool.
@Suite("mainstay report --audit", .timeLimit(.minutes(60)))
struct JoinTests {
  @Test(
    "three planted sinks and a stall that no rule foresees: four rows, ranked by what they cost",
    arguments: FixturePackage.Build.usual)
  func fourRows(build: FixturePackage.Build) async throws {
    let package = try await FixturePackage.named("Joined")
    let run = try await package.recorded(build)
    let report = try await Report(run, audit: package.audit())
    // A machine that stands still makes jobs long that nobody planted, and those longer that somebody did.
    let planted = ["Screen.load()", "Screen.layOut()", "Screen.refresh()", "Screen.export()"]
    let rows = report.rows.filter { planted.contains($0.function) }
    try #require(rows.count == 4, "\(rows)")
    #expect(report.rows.map(\.rank) == Array(1...report.rows.count))
    func row(_ function: String) throws -> Report.Row { try #require(rows.first { $0.function == function }) }
    let (load, layOut) = (try row("Screen.load()"), try row("Screen.layOut()"))
    let (refresh, export) = (try row("Screen.refresh()"), try row("Screen.export()"))
    #expect(layOut.rule == nil && [load, refresh, export].allSatisfy { $0.rule == "main_actor_blocking" }, "\(rows)")
    let lines = try ["sink: 80 ms", "planted: 2 ms", "planted: never run"].map { try package.line($0) }
    #expect([load, refresh, export].map(\.location.line) == lines)
    #expect(load.verdict == "measured over budget" && load.jobs == 1)
    #expect(load.worstMilliseconds >= 80 && load.droppedFrames >= 4)
    #expect(layOut.verdict == "not foreseen" && layOut.worstMilliseconds >= 50 && layOut.droppedFrames >= 2)
    let isWithin = refresh.worstMilliseconds < 16.667
    #expect(refresh.verdict == (isWithin ? "measured within budget" : "measured over budget"), "\(refresh)")
    #expect(refresh.worstMilliseconds >= 2 && (refresh.droppedFrames == 0) == isWithin && refresh.jobs == 1)
    #expect(export.verdict == "not run" && export.jobs == 0 && export.droppedFrames == 0)
    // The costliest first, and last what cost nothing because it never ran.
    #expect(rows.map(\.droppedFrames) == rows.map(\.droppedFrames).sorted(by: >), "\(rows)")
    #expect(report.rows.last?.function == export.function, "\(report.rows)")
    // With optimisation load() may be compiled into main(): then its stack, or the await for it, is what is known.
    #expect(build == .debug ? load.match == "job" : ["job", "caller", "samples"].contains(load.match), "\(rows)")
    #expect(refresh.match == "job", "\(rows)")
  }

  @Test("a program without debug information is joined by function alone, and the rows say so")
  func withoutDebugInformation() async throws {
    let package = try await FixturePackage.named("Joined")
    let run = try await package.recorded(.withoutDebugInformation)
    let rows = try await Report(run, audit: package.audit()).rows
    let load = try #require(rows.first { $0.function == "Screen.load()" })
    #expect(load.verdict == "measured over budget" && load.match == "function", "\(rows)")
    #expect(load.note.contains("by function only"))
  }

  @Test("recordings and documents of several runs add up")
  func severalRuns() async throws {
    let package = try await FixturePackage.named("Joined")
    let folder = try TestFolder.make()
    let program = try await package.program(.debug)
    let recorded = try await Tool.run(["run", "--recording", "\(folder)/app.rec", "--quiet", "--", program, "export"])
    #expect(recorded.end == .exited(0), "\(recorded.errors)")
    let run = try await package.recorded(.debug)
    let outcome = try await Tool.run([
      "report", run, "\(folder)/app.rec", "--audit", try await package.audit(), "--format=json",
    ])
    let report = try JSONDecoder().decode(Report.Document.self, from: outcome.output)
    #expect(report.recordings == 2 && report.programs == ["Joined"])
    #expect(report.rows.first { $0.function == "Screen.load()" }?.jobs == 2)
    #expect(!report.rows.contains { $0.verdict == "not run" }, "the second run exported")
  }

  @Test("decisions that went stale are counted, where other tasks really came in between")
  func interleavings() async throws {
    let package = try await FixturePackage.named("Interleaved")
    for build in FixturePackage.Build.usual {
      let rows = try await Report(try await package.recorded(build), audit: package.audit()).rows
      for (rule, marker) in [("check_then_act", "check_then_act"), ("split_check", "split_check")] {
        let line = try package.line(marker)
        let row = try #require(rows.first { $0.rule == rule && $0.location.line == line }, "\(rows)")
        #expect(row.verdict == "interleaved", "\(build.rawValue): \(row)")
        // Forty callers in twenty pairs: of each pair at least one comes back after the other ran.
        #expect((20...40).contains(row.interleavings), "\(build.rawValue): \(row)")
      }
      let never = try package.line("never called")
      #expect(rows.first { $0.location.line == never }?.verdict == "not run")
    }
  }

  @Test("the text fits 60 columns and a file: no colour, no line too long, the costly row first")
  func text() async throws {
    let package = try await FixturePackage.named("Joined")
    let arguments = ["report", try await package.recorded(.debug), "--audit", try await package.audit()]
    let ranked = try await Report(package.recorded(.debug), audit: package.audit()).rows.map(\.function)
    let costliest = try #require(ranked.first { $0.hasPrefix("Screen.") })
    for columns in [60, 80, 120] {
      let outcome = try await Tool.run(arguments, environment: ["COLUMNS": String(columns)])
      #expect(outcome.end == .exited(0) && outcome.errors == "")
      let lines = outcome.text.split(separator: "\n").map(String.init)
      #expect(lines.allSatisfy { $0.count <= columns }, "\(lines.filter { $0.count > columns })")
      #expect(!outcome.text.contains("\u{1b}"))
      let rows = lines.filter { $0.contains("Screen.") && $0.first == " " && $0.contains(" ms") || $0.contains("–") }
      #expect(rows.first?.contains(costliest) == true && rows.last?.contains("–") == true, "\(outcome.text)")
      #expect(lines.contains { $0.hasPrefix("Next: \(ranked[0])") }, "\(outcome.text)")
    }
  }

  @Test("the same inputs give the same bytes")
  func sameBytes() async throws {
    let package = try await FixturePackage.named("Joined")
    let arguments = [
      "report", try await package.recorded(.release), "--audit", try await package.audit(), "--format", "json",
    ]
    #expect(try await Tool.run(arguments).output == Tool.run(arguments).output)
  }

  @Test("an audit of another program, a file of another kind, no file: named, with status 4")
  func badInput() async throws {
    let joined = try await FixturePackage.named("Joined")
    let run = try await joined.recorded(.debug)
    let audit = try await joined.audit()
    let other = try await FixturePackage.named("Interleaved").audit()
    let folder = try TestFolder.make()
    try "{}".write(toFile: "\(folder)/empty.json", atomically: true, encoding: .utf8)
    for (arguments, message) in [
      ([run, "--audit", other], "Audit the package that the program was built from"),
      ([run, "--audit", run], "its schema is 'mainstay.run/1'"),
      ([audit, "--audit", audit], "its schema is 'mainstay.audit/1'"),
      ([run, "--audit", "\(folder)/missing.json"], "missing.json cannot be read: there is no such file"),
      ([run, "--audit", folder], "it is a directory"),
      ([run, "--audit", "\(folder)/empty.json"], "its schema is missing"),
      (["\(folder)/missing.rec", "--audit", audit], "missing.rec"),
      ([run, "\(folder)/empty.json", "--audit", audit], "empty.json is no run"),
    ] {
      let outcome = try await Tool.run(["report"] + arguments)
      #expect(outcome.end == .exited(4), "\(arguments)")
      #expect(outcome.text == "" && outcome.errors.contains(message), "\(outcome.errors)")
    }
    for arguments in [[run, run], [run, "--audit"], ["--audit", audit], [run, "--audit", audit, "--format", "xml"]] {
      #expect(try await Tool.run(["report"] + arguments).end == .exited(3), "\(arguments)")
    }
  }

  @Test("of recordings of two programs the one that was not audited is named, and its stalls are listed")
  func twoPrograms() async throws {
    let package = try await FixturePackage.named("Joined")
    let other = try await FixtureProgram.named("Planted", .debug)
    let json = "\(try TestFolder.make())/planted.json"
    _ = try await Tool.run(["run", "--json", json, "--quiet", "--", other.path])
    let outcome = try await Tool.run([
      "report", try await package.recorded(.debug), json, "--audit", try await package.audit(), "--format", "json",
    ])
    let report = try JSONDecoder().decode(Report.Document.self, from: outcome.output)
    #expect(report.programs == ["Joined", "Planted"])
    #expect(report.notes.contains { $0.contains("no function of Planted") }, "\(report.notes)")
    #expect(report.rows.contains { $0.verdict == "not foreseen" && $0.location.file.hasSuffix("/Planted.swift") })
  }
}

/// A report as a reader of `mainstay.report/1` sees it.
struct Report {
  struct Document: Decodable {
    let schema: String
    let programs: [String]
    let recordings: Int
    let rows: [Row]
    let notes: [String]
  }

  struct Row: Decodable {
    struct Location: Decodable {
      let file: String
      let line: Int
    }
    let rank: Int
    let rule: String?
    let location: Location
    let function: String
    let jobs: Int
    let worstMilliseconds: Double
    let droppedFrames: Int
    let interleavings: Int
    let verdict: String
    let match: String?
    let note: String
  }

  let rows: [Row]

  init(_ run: String, audit: String) async throws {
    let outcome = try await Tool.run(["report", run, "--audit", audit, "--format", "json"])
    try #require(outcome.end == .exited(0), "\(outcome.errors)")
    let document = try JSONDecoder().decode(Document.self, from: outcome.output)
    #expect(document.schema == "mainstay.report/1")
    rows = document.rows
  }
}
