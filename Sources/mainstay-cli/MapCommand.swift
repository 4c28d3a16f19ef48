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
    var rest = arguments[...]
    var paths: [String] = []
    func value(_ name: String) throws -> String {
      guard let value = rest.popFirst() else { throw UsageError("\(name) needs a value") }
      return value
    }
    while var argument = rest.popFirst() {
      if argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") {
        rest = [String(argument[argument.index(after: equals)...])] + rest
        argument = String(argument[..<equals])
      }
      switch argument {
      case "--format":
        format = try value(argument)
        guard ["text", "json", "mermaid", "dot"].contains(format) else {
          throw UsageError("there is no format '\(format)'; choose from text, json, mermaid, dot")
        }
      case "--source-only": options.sourceOnly = true
      case "--no-build": options.build = false
      case "--scratch-path": options.scratchPath = try value(argument)
      case "--include-tests": options.includeTests = true
      case "--output": output = try value(argument)
      case "--":
        paths += rest
        rest = []
      default:
        if argument.hasPrefix("-"), argument != "-" { throw UsageError("there is no option '\(argument)'") }
        paths.append(argument)
      }
    }
    if paths.count > 1 { throw UsageError("one path at a time, not \(paths.count)") }
    if let path = paths.first { options.path = path }
  }

  func run() throws -> ExitStatus {
    if let output { try Console.checkPlace(of: output) }
    do {
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
      if let output {
        try Console.save(text, as: output)
      } else {
        Console.output(text.hasSuffix("\n") ? String(text.dropLast()) : text)
      }
      var status = ExitStatus.success
      for gap in AuditResult.gaps(of: modules) where gap.isUnexpected {
        AuditCommand.report(gap.sentence)
        status = .notObserved
      }
      if !isWhole { status = .notObserved }
      for note in notes { AuditCommand.report(note) }
      return status
    } catch let failure as ConfigurationFailure {
      AuditCommand.report("\(failure)")
      return .usage
    } catch let failure as AuditFailure {
      AuditCommand.report("\(failure.message)\n  \(failure.advice)")
      return failure.kind == .usage ? .usage : .notObserved
    }
  }
}
