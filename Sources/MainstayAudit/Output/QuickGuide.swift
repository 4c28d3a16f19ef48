/// The quick guide: a question that a developer asks of a piece of code, the answer, the piece of the library that it
/// takes, and the rules that find the opposite. `mainstay explain tools` prints it; Documentation/Guide/WhichTool.md has
/// its tables, and a test compares them.
import MainstayFindings

public struct QuickGuide: Sendable {
  /// One question with its answer.
  public struct Row: Sendable {
    public let question: String
    public let answer: String
    /// The type or function of the library, in backticks; empty where none is needed.
    public let piece: String
    /// The identifiers of the rules that find the opposite.
    public let rules: [String]

    init(_ question: String, _ answer: String, piece: String = "", rules: String...) {
      self.question = question
      self.answer = answer
      self.piece = piece
      self.rules = rules
    }
  }

  public let title: String
  /// What the first two columns are called.
  public let columns: (question: String, answer: String)
  public let rows: [Row]

  public static let all = [owner, domain, interface]

  static let owner = QuickGuide(
    title: "The owner of the state", columns: ("the state", "belongs to"),
    rows: [
      Row(
        "one object owns it", "a plain `actor`", piece: "`ActorHeartbeat` measures its queue", rules: "service_on_main"),
      Row(
        "it drives the UI", "`@MainActor`", piece: "`Heartbeat`, `LatestTask`, boundaries",
        rules: "main_actor_blocking"),
      Row(
        "several types change it as a team, in order", "a custom `@globalActor` named after the rule",
        piece: "`Journal`", rules: "split_check", "actor_chain"),
      Row("types are independent", "an actor each, never chained into one workflow", rules: "actor_chain"),
      Row("none: it only waits or computes", "no actor; `Sendable`, `@concurrent`", rules: "service_on_main"),
      Row(
        "its rule cannot be named", "no actor of its own: an actor is named after the rule it protects",
        rules: "catch_all_actor"),
    ])

  static let domain = QuickGuide(
    title: "Inside a domain", columns: ("question", "answer"),
    rows: [
      Row(
        "must check and change happen together?", "one synchronous block; slow waits before it",
        piece: "`Journal.perform` takes no `await`", rules: "check_then_act"),
      Row(
        "can a step fail after another succeeded?", "take the first back", piece: "`Undo`",
        rules: "unprotected_sequence"),
      Row(
        "can the client ask twice?", "same key, same receipt", piece: "`Journal.perform(id:)`",
        rules: "unprotected_sequence"),
      Row("must the answer survive a crash?", "it leaves after the commit", piece: "`Journal.committed`"),
      Row("does it start a `Task`?", "it is not rolled back", rules: "task_in_transaction"),
    ])

  static let interface = QuickGuide(
    title: "UI-facing code", columns: ("question", "answer"),
    rows: [
      Row(
        "does this property drive the UI?", "keep it on the main actor, set it before the first `await`",
        rules: "late_state"),
      Row("does this only normalise input or build a key?", "`nonisolated`", rules: "could_be_nonisolated"),
      Row("does it wait on network or disk?", "`async`, called with `await`", rules: "async_blocking"),
      Row(
        "does it parse, resize, hash or sort?", "`@concurrent`, or an actor of its own",
        piece: "`Heartbeat` shows the difference", rules: "main_actor_blocking", "returns_to_main"),
      Row("does data cross?", "make it `Sendable`", rules: "unchecked_sendable"),
      Row("can a newer request overtake it?", "apply only the newest", piece: "`LatestTask`", rules: "stale_result"),
      Row("does it loop over another actor?", "move the loop to the other side", rules: "hop_in_loop"),
      Row(
        "must many elements be touched on the main actor?", "in slices", piece: "`FrameSlicer`",
        rules: "main_actor_blocking"),
      Row(
        "does a callback say where it arrives?", "assert what is promised, hop for the rest",
        piece: "`AssertedBoundary`, `HoppingBoundary`", rules: "undocumented_assumption", "trapping_callback"),
    ])

  /// The guide for a terminal: a question, its answer with the piece, and the rules, a line or two each.
  public static var text: String {
    all.map { part in
      "\(part.title)\n"
        + part.rows.map { row in
          var lines = "  \(row.question)\n      \(row.answer)"
          if !row.piece.isEmpty { lines += "\n      with \(row.piece)" }
          if !row.rules.isEmpty { lines += "\n      found by \(row.rules.map(named).joined(separator: ", "))" }
          return lines.replacing("`", with: "") + "\n"
        }.joined()
    }.joined(separator: "\n")
  }

  /// The table as the guide has it in markdown.
  public var markdown: String {
    "| \(columns.question) | \(columns.answer) | piece | rule that finds the opposite |\n|---|---|---|---|\n"
      + rows.map { row in
        let rules = row.rules.map { id in "`\(id)` (\(Self.code(id)))" }.joined(separator: ", ")
        return "| "
          + [row.question, row.answer, row.piece, rules].joined(separator: " | ").replacing("|  |", with: "| |")
          + (rules.isEmpty ? "|\n" : " |\n")
      }.joined()
  }

  private static func named(_ rule: String) -> String { "\(rule) (\(code(rule)))" }

  private static func code(_ rule: String) -> String {
    RuleCatalogue.documentation(for: rule)?.code ?? "no such rule"
  }
}
