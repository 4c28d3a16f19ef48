import Foundation
import MainstayReport
import MainstayTrace

/// `mainstay boundaries`: where the callbacks of a program arrived, over one run or several.
struct BoundariesCommand: Command {
  static let name = "boundaries"
  static let summary = "say where callbacks arrived, and which contracts none exercised"
  static let help = """
    USAGE: mainstay boundaries REPORT [--format text|json]
           mainstay boundaries --merge REPORT… [--format text|json]

    Says what the boundaries of a program saw: callbacks on the main actor and off
    it, in how many runs, and which contracts no callback has exercised. A REPORT
    is what 'mainstay run --json FILE' wrote, or a recording. Survey the program,
    so that a broken promise is counted instead of ending the run:

      MAINSTAY_BOUNDARIES=survey mainstay run --json 1.json -- ./App

      --merge             add up several reports; one that is named twice counts
                          once
      --format text|json  for a person, or a document mainstay.boundaries/1 (text)

    Exit status: 0 done, 3 bad usage, 4 a report could not be read, or no boundary
    was seen in any of them.
    """

  private var format = DocumentFormat.text
  private var merges = false
  private var paths: [String] = []

  init(arguments: [String]) throws {
    var arguments = Arguments(arguments)
    while let word = try arguments.next() {
      switch word {
      case .operand(let path): paths.append(path)
      case .option("--format"): format = try DocumentFormat(arguments.value("text or json"))
      case .option("--merge"): merges = true
      case .option(let option): throw Arguments.unknown(option)
      }
    }
    guard !paths.isEmpty else { throw UsageError("no report was named. 'mainstay run --json FILE' writes one") }
    guard merges || paths.count == 1 else {
      throw UsageError("'\(paths[0])' and '\(paths[1])' were named: add them up with --merge")
    }
  }

  func run() throws -> ExitStatus {
    var survey = BoundarySurvey()
    var counted: Set<RunSummary> = []
    for path in paths {
      do {
        let run = try RunInput.read(path)
        guard counted.insert(run).inserted else {
          Console.report("mainstay: \(path) is a run that was counted already; it counts once.")
          continue
        }
        try survey.add(run)
      } catch let damage as BoundarySurvey.Damage {
        return refuse("\(path) is damaged: boundary '\(damage.boundary)': \(damage.problem). Write it again.")
      } catch {
        return refuse("\(error)")
      }
    }
    if survey.boundaries.isEmpty {
      return refuse(
        "no boundary was seen in \(survey.runs == 1 ? "this run" : "these \(survey.runs) runs"). They are seen in "
          + "programs that link the library Mainstay and make an AssertedBoundary or a HoppingBoundary.")
    }
    switch format {
    case .text: Console.output(BoundariesText(survey, width: Console.outputWidth).text)
    case .json: Console.output(String(decoding: try survey.document(), as: UTF8.self))
    }
    return .success
  }

  private func refuse(_ problem: String) -> ExitStatus {
    Console.report("mainstay: \(problem)")
    return .notObserved
  }
}
