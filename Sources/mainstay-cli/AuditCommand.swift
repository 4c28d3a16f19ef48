/// `mainstay audit`: reads flags, shows progress, prints findings.
import Foundation
import MainstayAudit
import MainstayFindings

struct AuditCommand: Command {
  static let name = "audit"
  static let summary = "find what will block an actor or break its rule"
  static let help = """
    USAGE: mainstay audit [PATH] [OPTIONS]

      --format FORMAT          text (default), json, sarif, github, xcode,
                               checkstyle, markdown
      --fail-on SEVERITY       note, warning (default) or error
      --rules LIST             only these rules, by identifier or code, with commas
      --changed-since REV      only findings that touch files changed since then
      --baseline FILE          leave out the findings that FILE holds
      --write-baseline FILE    accept today's findings
      --expect FILE            exactly the findings of such a FILE: others and
                               missing ones are reported
      --fix                    make the fixes that change no behaviour, each
                               proved with the compiler
      --write-facts FILE       where every function runs, for --compare
      --compare FACTS FACTS    what moved between two such files, as markdown
      --config FILE            a configuration instead of PATH/.mainstay.json
      --build-log FILE         compile commands from the log of another build
      --scratch-path DIR       where SwiftPM builds (PATH/.build)
      --no-build               use the last build as it is
      --source-only            read the source alone, without a compiler
      --include-tests          test targets too
      --jobs N                 how many compilers at a time (all cores)
      --no-cache               read everything anew
      --output FILE            write there instead of standard output

    Exit status: 0 clean, 2 findings, 3 bad usage or configuration, 4 something
    was not analysed.
    """

  private struct Flags {
    var options = AuditOptions(path: ".")
    var format = "text"
    var writeBaseline: String?
    var output: String?
    var fixes = false
    var writeFacts: String?
    var compared: [String] = []
  }

  private let flags: Flags

  init(arguments: [String]) throws { flags = try Self.parse(arguments) }

  func run() throws -> ExitStatus {
    for file in [flags.output, flags.writeBaseline, flags.writeFacts] {
      try file.map { try Console.checkPlace(of: $0) }
    }
    return try Self.answering {
      if !flags.compared.isEmpty { return try compare() }
      Interruption.endsAudit()
      let progress = ProgressLine()
      var result = try Audit.run(flags.options) { progress.show($0) }
      if flags.fixes {
        let outcome = try AuditFixes.apply(flags.options, to: result) { progress.show($0) }
        progress.clear()
        Self.report(outcome, in: result.folder)
        if !outcome.fixed.isEmpty { result = try Audit.run(flags.options) { progress.show($0) } }
      }
      progress.clear()
      if let file = flags.writeFacts {
        try Console.save(try Audit.isolation(flags.options, with: result).text, as: file)
      }
      if let file = flags.writeBaseline {
        try Console.save(Baseline.text(result.findings), as: file)
        let count = result.findings.count
        Self.report("\(count) finding\(count == 1 ? "" : "s") accepted in \(file)")
        return result.isComplete ? .success : .notObserved
      }
      let text = Self.text(result, flags.format, isForFile: flags.output != nil)
      try Console.deliver(text, to: flags.output)
      if flags.format != "text" { Self.notes(result.seenFromWorkingDirectory) }
      return .program(result.exitStatus)
    }
  }

  /// Does what was asked for, or says why that cannot be done.
  static func answering(_ body: () throws -> ExitStatus) throws -> ExitStatus {
    do {
      return try body()
    } catch let failure as ConfigurationFailure {
      report("\(failure)")
      return .usage
    } catch let failure as AuditFailure {
      report("\(failure.message)\n  \(failure.advice)")
      return failure.kind == .usage ? .usage : .notObserved
    }
  }

  /// What was fixed, and what was taken back because it would have changed something.
  private static func report(_ outcome: AuditFixes.Outcome, in folder: String) {
    for finding in outcome.fixed {
      report("fixed \(folder)\(finding.location.file):\(finding.location.line): \(finding.message)")
    }
    for kept in outcome.kept {
      let place = kept.finding.location
      report("not fixed, \(folder)\(place.file):\(place.line): \(kept.reason)")
    }
    if outcome.fixed.isEmpty, outcome.kept.isEmpty { report("there is nothing that can be fixed without a change") }
  }

  /// What moved between two states: nothing is read but their facts.
  private func compare() throws -> ExitStatus {
    let moves = IsolationMoves(
      from: try IsolationFacts.read(flags.compared[0]), to: try IsolationFacts.read(flags.compared[1]))
    try Console.deliver(moves.markdown, to: flags.output)
    return .success
  }

  private static func text(_ read: AuditResult, _ format: String, isForFile: Bool) -> String {
    let result = read.seenFromWorkingDirectory
    switch format {
    // Documents are joined with measurements: their files are the package's, wherever the tool was called.
    case "json": return AuditJSON.text(read)
    case "sarif": return AuditSARIF.text(result)
    case "github": return AuditAnnotations.github(result)
    case "xcode": return AuditAnnotations.xcode(result)
    case "checkstyle": return AuditAnnotations.checkstyle(result)
    case "markdown": return AuditAnnotations.markdown(result)
    default:
      return AuditText(
        width: isForFile ? 80 : Console.outputWidth, colour: !isForFile && Console.outputHasColor
      ).text(result)
    }
  }

  /// What a machine-readable output may hide from a person at a terminal.
  private static func notes(_ result: AuditResult) {
    for gap in result.gaps { report(gap.sentence) }
    for note in result.notes { report(note) }
  }

  static func report(_ message: String) { Console.report("mainstay: \(message)") }

  private static func parse(_ arguments: [String]) throws -> Flags {
    var flags = Flags()
    var paths: [String] = []
    var arguments = Arguments(arguments)
    var given: [String] = []
    while let word = try arguments.next() {
      guard case .option(let option) = word else {
        if case .operand(let path) = word { paths.append(path) }
        continue
      }
      given.append(option)
      switch option {
      case "--format":
        flags.format = try arguments.value()
        let known = ["text", "json", "sarif", "github", "xcode", "checkstyle", "markdown"]
        guard known.contains(flags.format) else {
          throw UsageError(
            "there is no format '\(flags.format)'; choose from \(known.joined(separator: ", "))")
        }
      case "--fail-on":
        let name = try arguments.value()
        guard let severity = Severity(rawValue: name) else {
          throw UsageError("--fail-on takes note, warning or error, not '\(name)'")
        }
        flags.options.failOn = severity
      case "--rules":
        flags.options.rules = try arguments.value().split { $0 == "," || $0 == " " }.map(String.init)
        if flags.options.rules.isEmpty { throw UsageError("--rules names no rule; 'mainstay explain' lists them") }
      case "--changed-since": flags.options.changedSince = try arguments.value()
      case "--baseline", "--expect":
        guard flags.options.baseline == nil else {
          throw UsageError("--baseline and --expect name one file together, and it was named already")
        }
        flags.options.baseline = try arguments.value()
        flags.options.expectsBaseline = option == "--expect"
      case "--write-baseline": flags.writeBaseline = try arguments.value()
      case "--fix": flags.fixes = true
      case "--write-facts": flags.writeFacts = try arguments.value()
      case "--compare":
        let files = "two files that --write-facts wrote"
        flags.compared = [try arguments.value(files), try arguments.value(files)]
      case "--config": flags.options.configurationFile = try arguments.value()
      case "--build-log": flags.options.buildLog = try arguments.value()
      case "--scratch-path": flags.options.scratchPath = try arguments.value()
      case "--no-build": flags.options.build = false
      case "--source-only": flags.options.sourceOnly = true
      case "--include-tests": flags.options.includeTests = true
      case "--no-cache": flags.options.usesCache = false
      case "--output": flags.output = try arguments.value()
      case "--jobs":
        let number = try arguments.value()
        guard let width = Int(number), width > 0 else {
          throw UsageError("--jobs takes a number of at least 1, not '\(number)'")
        }
        flags.options.width = width
      default: throw Arguments.unknown(option)
      }
    }
    if !flags.compared.isEmpty,
      let other = given.first(where: { !["--compare", "--output"].contains($0) }) ?? paths.first
    {
      throw UsageError("--compare reads two files of facts and nothing else: leave out \(other)")
    }
    if flags.writeBaseline != nil {
      if let other = given.first(where: { ["--output", "--format"].contains($0) }) {
        throw UsageError("--write-baseline accepts the findings and prints none: leave out \(other)")
      }
      if flags.options.changedSince != nil {
        throw UsageError("--write-baseline accepts what all of the package has: leave out --changed-since")
      }
      // What an older one holds is accepted again.
      flags.options.baseline = nil
    }
    if flags.fixes, flags.options.sourceOnly {
      throw UsageError("--fix proves each fix with the compiler: leave out --source-only")
    }
    if paths.count > 1 { throw UsageError("one path at a time, not \(paths.count)") }
    if let path = paths.first { flags.options.path = path }
    return flags
  }
}
