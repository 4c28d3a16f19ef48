import Foundation
import MainstayTrace

/// `mainstay doctor`: says whether recording works here, what can be seen and what not, and what to do about it.
struct DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "say what can be recorded here or of a program, and what to do"
  static let help = """
    USAGE: mainstay doctor [PROGRAM]

    Looks at the toolchain, the recorder and the kernel, records a short program of
    its own, and says of each kind of event whether it was seen. With PROGRAM, says
    what of that program can be recorded. PROGRAM is looked at, not run.

    Exits with 0 when recording works, 4 when it cannot.
    """

  private let program: String?

  init(arguments: [String]) throws {
    if let option = arguments.first(where: { $0.hasPrefix("-") }) { throw UsageError("there is no option '\(option)'") }
    guard arguments.count <= 1 else {
      throw UsageError("one program at a time: '\(arguments[0])' and '\(arguments[1])' were named")
    }
    program = arguments.first
  }

  func run() throws -> ExitStatus {
    let environment = ProcessInfo.processInfo.environment
    var sections = [DoctorToolchain.section(environment), DoctorKernel.section()]
    sections += DoctorRecording.sections(environment)
    if let program { sections.append(DoctorProgram.section(program, environment)) }
    Console.output(Console.plain(sections.map { $0.text(width: Console.outputWidth) }.joined(separator: "\n\n")))
    let isWell = !sections.contains { $0.findings.contains { $0.weight == .fatal } }
    let end = Console.plain(conclusion(sections, isWell: isWell))
    Console.output("\n" + (isatty(STDOUT_FILENO) == 1 ? Console.fitted(end) : end))
    return isWell ? .success : .notObserved
  }

  private func conclusion(_ sections: [DoctorSection], isWell: Bool) -> String {
    let notes = sections.flatMap(\.findings).filter { $0.weight != .fine }.count
    let what = program.map { "\($0) can" } ?? "Programs can"
    let whatNot = program.map { "\($0) cannot" } ?? "Programs cannot"
    if !isWell { return "\(whatNot) be recorded here: see → above." }
    if let program, sections.contains(where: { $0.findings.contains { $0.weight == .nothing } }) {
      return "\(program) itself has nothing to record, as far as its file says: see → above."
    }
    return notes == 0
      ? "\(what) be recorded here, with everything that Mainstay shows."
      : "\(what) be recorded here, with less than everything: see → above."
  }
}

/// One subject of the doctor's report.
struct DoctorSection {
  let title: String
  var findings: [Finding]

  struct Finding {
    enum Weight {
      case fine
      /// Recording works, and shows less.
      case less
      /// Recording works, and shows nothing of the program itself, as far as its file says.
      case nothing
      /// Recording cannot work.
      case fatal
    }

    let weight: Weight
    let subject: String
    let text: String
    /// What to do; for everything that is not fine.
    let action: String?

    static func fine(_ subject: String, _ text: String) -> Finding {
      Finding(weight: .fine, subject: subject, text: text, action: nil)
    }
    static func less(_ subject: String, _ text: String, do action: String) -> Finding {
      Finding(weight: .less, subject: subject, text: text, action: action)
    }
    static func nothing(_ subject: String, _ text: String, do action: String) -> Finding {
      Finding(weight: .nothing, subject: subject, text: text, action: action)
    }
    static func fatal(_ subject: String, _ text: String, do action: String) -> Finding {
      Finding(weight: .fatal, subject: subject, text: text, action: action)
    }
  }

  func text(width: Int) -> String {
    let column = max(14, (findings.map(\.subject.count).max() ?? 0) + 2)
    let indent = String(repeating: " ", count: column + 2)
    var lines = [title]
    for finding in findings {
      let text = finding.text.lines(width: width - indent.count)
      lines.append("  " + finding.subject.padded(to: column) + text[0])
      lines += text.dropFirst().map { indent + $0 }
      guard let action = finding.action else { continue }
      let steps = action.lines(width: width - indent.count - 2)
      lines += steps.enumerated().map { indent + ($0.offset == 0 ? "→ " : "  ") + $0.element }
    }
    return lines.joined(separator: "\n")
  }
}
