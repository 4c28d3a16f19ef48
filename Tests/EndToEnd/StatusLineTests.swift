import Foundation
import Testing

@Suite("The status line and the terminal", .timeLimit(.minutes(60)))
struct StatusLineTests {
  private static let escape: Character = "\u{1b}"

  /// What is left of a terminal's text without the steps of the status line: each saves the cursor and restores it.
  private static func withoutLine(_ text: String) -> String {
    text.replacing("\u{1b}D\u{1b}[A", with: "").replacing(/\x{1b}7[^\x{1b}]*(\x{1b}[^8][^\x{1b}]*)*\x{1b}8/, with: "")
  }

  private static func run(_ options: [String], _ program: FixtureProgram, _ mode: String) -> [String] {
    [Tool.path, "run"] + options + ["--", program.path, mode]
  }

  @Test("is shown while the program runs, in the last row, fits, and is gone before the summary", arguments: [80, 40])
  func shown(columns: UInt16) async throws {
    let program = try await FixtureProgram.named("PassThrough", .release)
    try await Lanes.shared.run {
      let terminal = try Terminal(Self.run([], program, "echo"), columns: columns)
      #expect(terminal.read { $0.contains("% busy") })
      terminal.type("one\n")
      #expect(terminal.read { $0.contains("one\r\none\r\n") || Self.withoutLine($0).contains("one\r\none\r\n") })
      let before = terminal.text.components(separatedBy: "% busy").count
      // It is drawn again after the program wrote.
      #expect(terminal.read { $0.components(separatedBy: "% busy").count > before })
      terminal.type("\u{4}")
      #expect(terminal.wait() == .exited(0))
      let lines = terminal.text.components(separatedBy: "\u{1b}[24;1H\r").dropFirst()
        .map { $0.prefix { $0 != Self.escape } }
      #expect(lines.contains { $0.contains("% busy") })
      #expect(lines.allSatisfy { $0.count < Int(columns) }, "\(lines)")
      let released = try #require(terminal.text.range(of: "\u{1b}[r", options: .backwards))
      let last = try #require(terminal.text.range(of: "% busy", options: .backwards))
      let summary = try #require(terminal.text.range(of: "Main actor:", options: .backwards))
      #expect(last.upperBound < released.lowerBound && released.upperBound < summary.lowerBound)
      // Nothing but the program's own, and the summary.
      let rest = Self.withoutLine(terminal.text)
      #expect(rest.hasPrefix("one\r\none\r\nMain actor:"), "\(rest.debugDescription)")
      #expect(!rest.contains(Self.escape))
    }
  }

  @Test("is not shown with --quiet or on a terminal that cannot", arguments: [true, false])
  func hidden(quiet: Bool) async throws {
    let program = try await FixtureProgram.named("Planted", .release)
    try await Lanes.shared.run {
      let terminal = try Terminal(
        [Tool.path, "run"] + (quiet ? ["--quiet"] : []) + ["--", program.path],
        environment: quiet ? [:] : ["TERM": "dumb"])
      _ = terminal.wait()
      #expect(!terminal.text.contains(Self.escape), "\(terminal.text.debugDescription)")
      #expect(!terminal.text.contains("% busy   "))
    }
  }

  @Test("Ctrl-C reaches the program once, and its status is the run's")
  func interrupt() async throws {
    let program = try await FixtureProgram.named("PassThrough", .release)
    try await Lanes.shared.run {
      let terminal = try Terminal(Self.run(["--quiet"], program, "signal"))
      #expect(terminal.read { $0.contains("ready") })
      terminal.type("\u{3}")
      #expect(terminal.wait() == .exited(40 + SIGINT))
      #expect(terminal.text.components(separatedBy: "got 2").count == 2)
    }
  }

  @Test("Ctrl-Z stops mainstay and the program, and fg continues both")
  func stop() async throws {
    let program = try await FixtureProgram.named("PassThrough", .release)
    try await Lanes.shared.run {
      let script = "set -m; '\(Tool.path)' run -- '\(program.path)' signal; echo stopped; fg; echo ended $?"
      let terminal = try Terminal(["/bin/sh", "-c", script])
      #expect(terminal.read { $0.contains("ready") && $0.contains("% busy") })
      terminal.type("\u{1a}")
      #expect(terminal.read { $0.contains("stopped\r\n") })
      let stopped = try #require(terminal.text.range(of: "stopped\r\n"))
      // The row was given back before the shell had the terminal.
      let before = terminal.text[..<stopped.lowerBound]
      let drawn = try #require(before.range(of: "% busy", options: .backwards))
      #expect(before[drawn.upperBound...].contains("\u{1b}[r"))
      #expect(terminal.read { $0[stopped.upperBound...].contains("% busy") })
      terminal.type("\u{3}")
      #expect(terminal.read { $0.contains("ended") })
      _ = terminal.wait()
      #expect(Self.withoutLine(terminal.text).contains("ended \(40 + SIGINT)"), "\(terminal.text.debugDescription)")
    }
  }

  @Test("a terminal that is resized has the line in its new last row, and only there")
  func resized() async throws {
    let program = try await FixtureProgram.named("PassThrough", .release)
    try await Lanes.shared.run {
      let terminal = try Terminal(Self.run([], program, "echo"), columns: 80)
      #expect(terminal.read { $0.contains("\u{1b}[24;1H\r") && $0.contains("% busy") })
      terminal.resize(columns: 44, rows: 30)
      #expect(terminal.read { $0.contains("\u{1b}[30;1H\r") })
      let resized = try #require(terminal.text.range(of: "\u{1b}[30;1H\r"))
      #expect(terminal.read { $0[resized.upperBound...].components(separatedBy: "% busy").count > 3 })
      let after = terminal.text[resized.lowerBound...]
      #expect(!after.contains("\u{1b}[24;1H"), "\(after.debugDescription)")
      // The old row was given back before.
      let before = terminal.text[..<resized.lowerBound]
      let released = try #require(before.range(of: "\u{1b}[r", options: .backwards))
      #expect(before[released.upperBound...].contains("\u{1b}[1;29r"), "\(before.debugDescription)")
      let lines = after.components(separatedBy: "\u{1b}[30;1H\r").dropFirst().map { $0.prefix { $0 != Self.escape } }
      #expect(lines.allSatisfy { $0.count < 44 }, "\(lines)")
      terminal.type("\u{4}")
      #expect(terminal.wait() == .exited(0))
    }
  }

  @Test("a program that takes the terminal over is left alone from then on, and the whole screen is its own")
  func takenOver() async throws {
    let program = try await FixtureProgram.named("PassThrough", .release)
    try await Lanes.shared.run {
      let terminal = try Terminal(Self.run([], program, "screen"))
      #expect(terminal.read { $0.contains("% busy") })
      terminal.type("\n")
      for text in ["no lines", "whole screen", "\u{1b}[H.", "\u{1b}[?1049l"] {
        #expect(terminal.read { $0.contains(text) })
        // Whoever draws now and then has had the occasion, and noticed.
        try await terminal.sleeps(5)
        terminal.type("x")
      }
      #expect(terminal.read { $0.contains("left the screen") })
      #expect(terminal.wait() == .exited(0))
      let taken = try #require(terminal.text.range(of: "\u{1b}[?1049h"))
      let after = terminal.text[taken.lowerBound...]
      #expect(!after.contains("% busy   "), "\(after.debugDescription)")
      // At the end every row scrolls again, and none was cleared.
      let left = try #require(after.range(of: "left the screen"))
      #expect(after[left.upperBound...].contains("\u{1b}[r"), "\(after.debugDescription)")
      #expect(!after[left.upperBound...].contains("\u{1b}[24;1H"), "\(after.debugDescription)")
    }
  }

  @Test("a terminal that closes ends the program and mainstay")
  func hangUp() async throws {
    let program = try await FixtureProgram.named("PassThrough", .release)
    try await Lanes.shared.run {
      let terminal = try Terminal(Self.run([], program, "signal"))
      #expect(terminal.read { $0.contains("ready") && $0.contains("% busy") })
      terminal.close()
      #expect(terminal.wait() == .exited(40 + SIGHUP))
    }
  }
}
