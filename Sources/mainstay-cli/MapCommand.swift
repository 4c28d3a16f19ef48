/// `mainstay map`: the architecture that isolation draws.
import Foundation
import MainstayAudit

struct MapCommand: Command {
  static let name = "map"
  static let summary = "draw the domains that isolation makes, and what crosses them"
  static let help = """
    USAGE: mainstay map [PATH] [OPTIONS]

      --format FORMAT          text (default), json, mermaid, dot
      --source-only            read the source alone, without a compiler
      --no-build               use the last build as it is
      --scratch-path DIR       where SwiftPM builds (PATH/.build)
      --include-tests          test targets too
      --output FILE            write there instead of standard output

    Exit status: 0, 3 bad usage or configuration, 4 something was not analysed.
    """

  private var options = AuditOptions(path: ".")
  private var format = "text"
  private var output: String?

  init(arguments: [String]) throws {
    var arguments = Arguments(arguments)
    var paths: [String] = []
    while let word = try arguments.next() {
      switch word {
      case .operand(let path): paths.append(path)
      case .option("--format"):
        format = try arguments.value()
        guard ["text", "json", "mermaid", "dot"].contains(format) else {
          throw UsageError("there is no format '\(format)'; choose from text, json, mermaid, dot")
        }
      case .option("--source-only"): options.sourceOnly = true
      case .option("--no-build"): options.build = false
      case .option("--scratch-path"): options.scratchPath = try arguments.value()
      case .option("--include-tests"): options.includeTests = true
      case .option("--output"): output = try arguments.value()
      case .option(let option): throw Arguments.unknown(option)
      }
    }
    if paths.count > 1 { throw UsageError("one path at a time, not \(paths.count)") }
    if let path = paths.first { options.path = path }
  }

  func run() throws -> ExitStatus {
    if let output { try Console.checkPlace(of: output) }
    return try AuditCommand.answering {
      Interruption.endsAudit()
      let progress = ProgressLine()
      let (map, modules, notes, isWhole) = try Audit.map(options) { progress.show($0) }
      progress.clear()
      let text =
        switch format {
        case "json": MapText.json(map)
        case "mermaid": MapText.mermaid(map)
        case "dot": MapText.dot(map)
        default:
          MapText.text(
            map, width: output == nil ? Console.outputWidth : 80, folder: AuditResult.folder(ofPackage: options.path))
        }
      try Console.deliver(text, to: output)
      var status = ExitStatus.success
      for gap in AuditResult.gaps(of: modules) where gap.isUnexpected {
        AuditCommand.report(gap.sentence)
        status = .notObserved
      }
      if !isWhole { status = .notObserved }
      for note in notes { AuditCommand.report(note) }
      return status
    }
  }
}
