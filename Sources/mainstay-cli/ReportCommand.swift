import Foundation
import MainstayTrace

/// `mainstay report`: says once more what a kept recording holds.
struct ReportCommand: Command {
  static let name = "report"
  static let summary = "summarise a recording that 'mainstay run --recording' kept"
  static let help = """
    USAGE: mainstay report RECORDING [--format text|json]

    Reads a recording, also one that its program is still writing or left behind when it crashed, and prints what
    'mainstay run' would have said of it.

      --format text|json  a summary for a person, or a document mainstay.run/1 (text)
    """

  enum Format: String {
    case text, json
  }

  private var format = Format.text
  private var path = ""

  init(arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--format" || argument.hasPrefix("--format=") {
        let value = argument == "--format" ? rest.popFirst() ?? "" : String(argument.dropFirst(9))
        guard let found = Format(rawValue: value) else {
          throw UsageError("--format '\(value)' is neither text nor json")
        }
        format = found
      } else if argument.hasPrefix("-") {
        throw UsageError("there is no option '\(argument)'")
      } else if path.isEmpty {
        path = argument
      } else {
        throw UsageError("one recording at a time: '\(path)' and '\(argument)' were named")
      }
    }
    guard !path.isEmpty else { throw UsageError("no recording was named") }
  }

  func run() throws -> ExitStatus {
    let summary: RunSummary
    do {
      summary = RunSummary(try Recording(path: path))
    } catch {
      Console.error("mainstay: \(error)")
      return .notObserved
    }
    switch format {
    case .text: Console.output(SummaryText(summary, width: Console.width).text)
    case .json: Console.output(String(decoding: try summary.document(), as: UTF8.self))
    }
    return .success
  }
}
