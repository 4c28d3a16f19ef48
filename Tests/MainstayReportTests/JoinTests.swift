/// The join: which measured job a finding meets, what is said when only the function is the same, and the order.
import Foundation
import MainstayFindings
import MainstayTrace
import Testing

@testable import MainstayReport

@Suite struct JoinTests {
  @Test("a finding gets the frames of the stalls of its job, and of no other job of the same function")
  func byJob() throws {
    let finding = Sample.finding(jobs: [Sample.job("$s3App4loadyyYaF", line: 12, ordinal: 1)])
    let report = try Sample.report([finding]) { run in
      run.functions = [
        Sample.function("$s3App4loadyyYaF", line: 12, resume: 1, jobs: 3, worst: 80),
        Sample.function("$s3App4loadyyYaF", line: 15, resume: 2, jobs: 9, worst: 200),
      ]
      run.stalls = [Sample.stall("$s3App4loadyyYaF", line: 12, resume: 1, milliseconds: 80, frames: 4)]
    }
    let row = try #require(report.rows.first)
    #expect(row.verdict == .overBudget && row.match == .job)
    #expect(row.jobs == 3 && row.droppedFrames == 4 && row.worstMilliseconds == 80)
  }

  @Test("a job on another executor is another job, also in the same await")
  func executor() throws {
    let finding = Sample.finding(jobs: [Sample.job("$s3App4loadyyYaF", line: 12, ordinal: 1)])
    let report = try Sample.report([finding]) { run in
      run.functions = [
        Sample.function("$s3App4loadyyYaF", line: 12, resume: 1, jobs: 7, worst: 90, executor: "Source")
      ]
    }
    #expect(report.rows.map(\.verdict) == [.notRun])
  }

  @Test("without debug information the function decides, and the row says so")
  func byFunction() throws {
    let finding = Sample.finding(jobs: [Sample.job("$s3App4loadyyYaF", line: 12, ordinal: 1)])
    let report = try Sample.report([finding]) { run in
      run.functions = [
        Sample.function("$s3App4loadyyYaF", line: 0, resume: 3, jobs: 2, worst: 30, position: "resume 3")
      ]
      run.stalls = [
        Sample.stall("$s3App4loadyyYaF", line: 0, resume: 3, milliseconds: 30, frames: 1, position: "resume 3")
      ]
    }
    let row = try #require(report.rows.first)
    #expect(row.match == .function && row.verdict == .overBudget && row.droppedFrames == 1)
    #expect(row.note.contains("by function only"))
  }

  @Test("a specialised copy of a function is that function")
  func specialised() throws {
    let finding = Sample.finding(jobs: [Sample.job("$s6JoinedAAV4mainyyYaFZ", line: 72, ordinal: 1)])
    let run = Sample.run { run in
      run.functions = [Sample.function("$s6JoinedAAV4mainyyYaFZTf4d_n", line: 72, resume: 1, jobs: 1, worst: 80)]
    }
    let report = try JoinedReport(audit: AuditDocument(modules: ["Joined"], findings: [finding]), runs: [run])
    #expect(report.rows.first?.match == .job)
  }

  @Test("a stall whose stack stands in a finding's call is that finding's, whatever job it was")
  func bySamples() throws {
    let finding = Sample.finding(path: [Sample.place(14), Sample.place(47)], jobs: [])
    let report = try Sample.report([finding]) { run in
      run.stalls = [
        Sample.stall("$s3App5otheryyYaF", line: 3, resume: 1, milliseconds: 40, frames: 2, sampled: [31, 47, 14])
      ]
    }
    #expect(report.rows.count == 1)
    #expect(report.rows.first?.match == .samples && report.rows.first?.droppedFrames == 2)
  }

  @Test("a stall of a finding's job whose stack stands elsewhere is not foreseen, and both rows say it")
  func elsewhere() throws {
    let finding = Sample.finding(
      path: [Sample.place(14)], jobs: [Sample.job("$s3App4loadyyYaF", line: 12, ordinal: 1)])
    let report = try Sample.report([finding]) { run in
      run.functions = [Sample.function("$s3App4loadyyYaF", line: 12, resume: 1, jobs: 1, worst: 80)]
      run.stalls = [
        Sample.stall("$s3App4loadyyYaF", line: 12, resume: 1, milliseconds: 80, frames: 4, sampled: [33])
      ]
    }
    #expect(report.rows.map(\.verdict) == [.notForeseen, .overBudget])
    #expect(report.rows.map(\.droppedFrames) == [4, 0])
    #expect(report.rows[0].note == "running in load(), App.swift:33")
    #expect(report.rows[1].note == "its job overran while other code ran")
  }

  @Test("rows are ranked by frames, then length; interleaved, within budget and not run follow")
  func order() throws {
    let symbols = ["$s3App1ayyYaF", "$s3App1byyYaF", "$s3App1cyyYaF", "$s3App1dyyYaF"]
    var findings = symbols.map { Sample.finding($0, jobs: [Sample.job($0, line: 5, ordinal: 1)]) }
    findings[3].rule = "check_then_act"
    let report = try Sample.report(findings) { run in
      run.functions = [
        Sample.function(symbols[1], line: 5, resume: 1, jobs: 40, worst: 2),
        Sample.function(symbols[2], line: 5, resume: 1, jobs: 1, worst: 80),
        Sample.function(symbols[3], line: 5, resume: 1, jobs: 300, worst: 1),
      ]
      run.stalls = [
        Sample.stall("$s3App1eyyYaF", line: 9, resume: 1, milliseconds: 50, frames: 2),
        Sample.stall(symbols[2], line: 5, resume: 1, milliseconds: 80, frames: 4),
      ]
      run.interleavings = [Sample.interleaving(symbols[3], line: 5, count: 212)]
    }
    #expect(report.rows.map(\.verdict) == [.overBudget, .notForeseen, .interleaved, .withinBudget, .notRun])
    #expect(report.rows.map(\.rank) == [1, 2, 3, 4, 5])
    #expect(report.rows[2].interleavings == 212)
  }

  @Test("several recordings add up, each judged by its own budget")
  func severalRuns() throws {
    let finding = Sample.finding(jobs: [Sample.job("$s3App4loadyyYaF", line: 12, ordinal: 1)])
    let audit = AuditDocument(modules: ["App"], findings: [finding])
    let runs = [(80.0, 4, 16.7), (40.0, 2, 50.0)].map { worst, frames, budget in
      Sample.run { run in
        run.budgetMilliseconds = budget
        run.functions = [Sample.function("$s3App4loadyyYaF", line: 12, resume: 1, jobs: 10, worst: worst)]
        if worst > budget {
          run.stalls = [
            Sample.stall("$s3App4loadyyYaF", line: 12, resume: 1, milliseconds: worst, frames: frames)
          ]
        }
      }
    }
    let report = try JoinedReport(audit: audit, runs: runs)
    #expect(report.recordings == 2)
    #expect(report.rows.map(\.jobs) == [20])
    #expect(report.rows.first?.droppedFrames == 4 && report.rows.first?.worstMilliseconds == 80)
  }

  @Test("an audit of another program is refused, with the modules of both")
  func otherProgram() throws {
    let audit = AuditDocument(modules: ["Kitchen"], findings: [])
    let run = Sample.run { run in
      run.functions = [Sample.function("$s3App4loadyyYaF", line: 12, resume: 1, jobs: 10, worst: 80)]
    }
    #expect(
      throws: ReportError.nothingInCommon(programs: ["App"], recorded: ["App"], audited: ["Kitchen"])
    ) { try JoinedReport(audit: audit, runs: [run]) }
  }

  @Test("of two programs the one that was not audited is named")
  func oneForeign() throws {
    let audit = AuditDocument(modules: ["App"], findings: [])
    let runs = ["$s3App4loadyyYaF", "$s5Other4loadyyYaF"].map { symbol in
      Sample.run(program: symbol.contains("Other") ? "Other" : "App") { run in
        run.functions = [Sample.function(symbol, line: 12, resume: 1, jobs: 10, worst: 8)]
      }
    }
    let report = try JoinedReport(audit: audit, runs: runs)
    #expect(report.programs == ["App", "Other"])
    #expect(report.notes.contains { $0.contains("Other") })
  }

  @Test("stalls that were not kept one by one are said")
  func displaced() throws {
    let report = try Sample.report([]) { run in run.mainActor.overBudget = 3 }
    #expect(report.notes.contains { $0.hasPrefix("3 shorter stalls") })
  }
}
