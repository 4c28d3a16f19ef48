import Foundation
import MainstayReport
import MainstayTrace

/// `mainstay report`: says once more what a kept recording holds, or joins recordings with an audit.
struct ReportCommand: Command {
  static let name = "report"
  static let summary = "summarise a recording, or rank an audit's findings by cost"
  static let help = """
    USAGE: mainstay report RECORDING [--format text|json]
           mainstay report RECORDING|RUN.json… --audit AUDIT.json
                           [--format text|json]

    Reads a recording, also one that its program is still writing or left behind
    when it crashed, and prints what 'mainstay run' would have said of it.

    With an audit, says of each finding what it cost: the frames it dropped, how
    often its job ran, how often other tasks came in between; and lists the stalls
    that no finding foresaw. Several recordings add up. The audit is what
    'mainstay audit --format json --output AUDIT.json' wrote, RUN.json what
    'mainstay run --json RUN.json' did.

      --audit AUDIT.json  the findings to rank
      --format text|json  for a person (text), or a document: mainstay.run/1, with
                          --audit mainstay.report/1

    Exit status: 0 done, 3 bad usage, 4 something could not be read or has nothing
    in common with the audit.
    """

  private var format = DocumentFormat.text
  private var audit: String?
  private var paths: [String] = []

  init(arguments: [String]) throws {
    var arguments = Arguments(arguments)
    while let word = try arguments.next() {
      switch word {
      case .operand(let path): paths.append(path)
      case .option("--format"): format = try DocumentFormat(arguments.value("text or json"))
      case .option("--audit"): audit = try arguments.value("the document of an audit")
      case .option(let option): throw Arguments.unknown(option)
      }
    }
    guard !paths.isEmpty else { throw UsageError("no recording was named") }
    guard audit != nil || paths.count == 1 else {
      throw UsageError("one recording at a time without --audit: '\(paths[0])' and '\(paths[1])' were named")
    }
  }

  func run() throws -> ExitStatus {
    do {
      let runs = try paths.map { try RunInput.read($0) }
      guard let audit else {
        switch format {
        case .text: Console.output(Console.plain(SummaryText(runs[0], width: Console.outputWidth).text))
        case .json: Console.output(String(decoding: try runs[0].document(), as: UTF8.self))
        }
        return .success
      }
      let report = try JoinedReport(audit: RunInput.audit(audit), runs: runs)
      switch format {
      case .text: Console.output(Console.plain(JoinText(report, width: Console.outputWidth).text))
      case .json: Console.output(String(decoding: try report.document(), as: UTF8.self))
      }
      return .success
    } catch let error as RecordingError {
      Console.report("mainstay: \(error)")
      return .notObserved
    } catch let error as ReportError {
      Console.report("mainstay: \(error)")
      return .notObserved
    }
  }
}
