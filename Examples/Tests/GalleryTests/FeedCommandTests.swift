import BuiltTool
import Feed
import FeedImplementations
import FeedProbes
import ForeignFeed
import Foundation
import Terminal
import Testing

@testable import gallery

@MainActor
@Suite("gallery feed and gallery probe", .timeLimit(.minutes(30)))
struct FeedCommandTests {
  private let transcript = Transcript()

  @Test("follows a feed until it is loaded, with every state once", arguments: FeedImplementation.available)
  func feed(implementation: FeedImplementation) async {
    #expect(
      await run("feed", "--updates", "250", "--rate", "0", "--implementation", implementation.rawValue) == .success)
    #expect(transcript.lines == ["\(implementation.title): 251 states on main, 251 off main, loaded"])
    #expect(transcript.notes.isEmpty)
  }

  @Test(
    "calls back inline, posted or on a worker, as each dispatcher says; the main actor is not the main thread",
    arguments: FeedImplementation.available)
  func dispatch(implementation: FeedImplementation) async throws {
    // In a process of its own: there the main function is async, and the main actor has left the main thread.
    let outcome = try await GalleryProcess.run(
      ["probe", "dispatch", "--format", "json", "--implementation", implementation.rawValue])
    #expect(outcome.status == 0)
    let report = try JSONDecoder().decode(DispatchReport.self, from: Data(outcome.output.utf8))
    #expect(report.schema == "gallery.dispatch/1")
    let found = report.rows.map { [$0.dispatcher, $0.changedOn, $0.arrives] }
    #expect(
      found == [
        ["main, immediate", "main actor", "inline"], ["main, immediate", "worker", "posted"],
        ["main", "main actor", "posted"], ["main", "worker", "posted"],
        ["worker", "main actor", "worker"], ["worker", "worker", "worker"],
      ])
    #expect(report.rows.map(\.onMainActor) == [true, true, true, true, false, false])
    #expect(report.rows.allSatisfy { !$0.onMainThread && $0.implementation == implementation.title })
    #expect(report.runtimes.map(\.implementation) == [implementation.title])
    guard implementation == .kotlin else { return }
    let version = try #require(report.runtimes[0].runtime.firstMatch(of: #/coroutines (\d+)\.(\d+)/#))
    let (major, minor) = (try #require(Int(version.1)), try #require(Int(version.2)))
    #expect((major, minor) >= (1, 8), "\(report.runtimes)")
  }

  @Test("shows where callbacks arrive as a table")
  func dispatchTable() async {
    #expect(await run("probe", "dispatch", "--implementation", "c") == .success)
    let lines = transcript.lines.joined(separator: "\n").split(separator: "\n")
    #expect(lines.count == 9)
    #expect(lines.last == "C: threads and an event loop of a C library")
    #expect(lines[0].hasPrefix("                                callback  on the      on the"))
    #expect(lines[1].hasPrefix("   dispatcher       changed on  arrives   main actor  main thread"))
    #expect(lines[2].hasPrefix("C  main, immediate  main actor  inline    yes"))
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test("measures every way of delivery; directly and asserted nothing is later and nothing merged")
  func latency() async throws {
    #expect(
      await run("probe", "latency", "--updates", "12", "--hz", "500", "--hitch-every", "4", "--format", "json")
        == .success)
    let report = try JSONDecoder().decode(LatencyReport.self, from: Data(transcript.lines.joined().utf8))
    #expect(report.schema == "gallery.latency/1" && report.updates == 12 && report.hertz == 500)
    #expect(report.frameSource == "a clock without a display")
    #expect(report.runs.map(\.hitches) == [0, 3])
    for run in report.runs {
      #expect(run.rows.map(\.way) == DeliveryWay.allCases.map(\.rawValue))
      for row in run.rows where row.way == "direct" || row.way == "asserted" {
        #expect(row.averageFramesLater == 0 && row.worstFramesLater == 0)
        #expect(row.applied == 12 && row.shown == 12 && row.merged == 0 && row.inversions == 0)
      }
      for row in run.rows where row.way == "taskPerValue" { #expect(row.averageFramesLater >= 1) }
      for row in run.rows { #expect(row.shown + row.merged == 12) }
      #expect(run.rows.first { $0.way == "hoppingEveryValue" }?.inversions == 0)
    }
  }

  @Test("shows them as a table, beside the article's figures")
  func latencyTable() async {
    #expect(await run("probe", "latency", "--updates", "3", "--hz", "500", "--hitch-every", "0") == .success)
    let lines = transcript.lines.joined(separator: "\n").split(separator: "\n")
    #expect(lines[0] == "3 updates from C, one a frame at 500 Hz; frames from a clock without a display")
    #expect(lines.contains { $0.hasPrefix("asserted") && $0.hasSuffix("         0       0") })
    #expect(lines.contains { $0.hasPrefix("task per value") && $0.hasSuffix("       1.4      38") })
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test("shows a table on a narrow terminal, each row's figures beneath its name")
  func narrow() async {
    let console = transcript.console(width: 40)
    let arguments = ["probe", "latency", "--updates", "3", "--hz", "500", "--hitch-every", "0"]
    #expect(await Gallery.run(arguments, on: console) == .success)
    let lines = transcript.lines.joined(separator: "\n").split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 40 })
    let asserted = lines.firstIndex(of: "asserted")
    #expect(asserted.map { lines[$0 + 1] } == "  frames later     0.00")
  }

  @Test("a display is used when there is one and its program is built, and otherwise it says what is missing")
  func display() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "display-probe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let options = try #require(try Self.options("--updates", "3", "--hitch-every", "0"))
    var session = LatencySession(options: options, console: transcript.console)
    session.display.executable = folder.appending(path: "gallery").path
    session.display.environment = [:]
    #expect(try await session.run() == .success)
    #expect(transcript.notes.isEmpty, "nobody expects a display where there is none")
    session.display.environment = ["DISPLAY": ":0"]
    #expect(try await session.run() == .success)
    #expect(transcript.notes.last?.contains("gallery-latency, which measures on it, is not built") == true)
    #expect(transcript.notes.last?.hasSuffix("Frames come from a clock without a display.") == true)

    let program = folder.appending(path: "gallery-latency")
    // By a process of its own: a file that this one writes cannot be executed while one that another test starts at that
    // moment has inherited it.
    func write(_ script: String) async throws {
      let words = [
        "-c", #"printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod 755 "$1""#, "sh", program.path, script,
      ]
      try #require(try await Subprocess.run("/bin/sh", words).status == 0)
    }
    let asked = folder.appending(path: "asked").path
    try await write("echo \"$@\" >'\(asked)'; exit 0")
    let printed = transcript.lines.count
    #expect(try await session.run() == .success)
    #expect(transcript.lines.count == printed, "the other program printed the result")
    #expect(
      try String(contentsOfFile: asked, encoding: .utf8)
        == "--updates 3 --hitch-every 0 --implementation c --format table\n")
    try await write("exit 1")
    #expect(try await session.run() == .failure)
    try await write("exit 4")
    #expect(try await session.run() == .success)
    #expect(transcript.notes.last?.contains("the display could not be used") == true)

    let only = try #require(try Self.options("--frames", "display"))
    session = LatencySession(options: only, console: transcript.console)
    session.display.environment = [:]
    await #expect(throws: DisplayProbe.Absent.self) { try await session.run() }
  }

  private static func options(_ words: String...) throws -> LatencyOptions? {
    var arguments = Arguments(words, of: "gallery probe latency")
    return try LatencyOptions(&arguments)
  }

  @Test(
    "a broken promise stops the program at once, naming boundary, contract, file and line, and leaves no file",
    arguments: FeedImplementation.available)
  func brokenPromise(implementation: FeedImplementation) async throws {
    let outcome = try await GalleryProcess.run(
      ["feed", "--updates", "10", "--break-promise", "--implementation", implementation.rawValue])
    #expect(outcome.isSignal || outcome.status > 128)
    #expect(outcome.output.isEmpty)
    let message = try #require(outcome.notes.split(separator: "\n").first { $0.contains("boundary 'feed states'") })
    #expect(
      message.contains(#/^Feed/FeedModel\.swift:\d+: boundary 'feed states' was entered off the main actor, on /#))
    let contract = try implementation.makeController().contract.observe
    #expect(message.contains("Its contract: \"\(contract)\""))
    #expect(outcome.files.isEmpty, "left behind: \(outcome.files)")
  }

  @Test(
    "a survey counts the callbacks of a broken promise instead of stopping", arguments: FeedImplementation.available)
  func survey(implementation: FeedImplementation) async throws {
    let arguments = ["feed", "--updates", "99", "--rate", "0", "--implementation", implementation.rawValue]
    let kept = try await GalleryProcess.run(arguments, environment: ["MAINSTAY_BOUNDARIES": "survey"])
    #expect(kept.status == 0)
    #expect(
      kept.notes == """
        boundary              callbacks  on main  off main
        feed endings                  0        0         0  never exercised
        feed states                 100      100         0
        feed states off main        100        0       100

        """)
    let broken = try await GalleryProcess.run(
      arguments + ["--break-promise"], environment: ["MAINSTAY_BOUNDARIES": "survey"])
    #expect(broken.status == 0)
    #expect(broken.output == kept.output)
    #expect(broken.notes.contains("feed states                 100        0       100  broken\n"))
    #expect(broken.notes.contains(#/'feed states' \(Feed/FeedModel.swift:\d+\) broke its contract "/#))
  }

  @Test(
    "Kotlin that is not there is named, with the command that brings it",
    .enabled(if: FeedImplementation.kotlin.absence != nil))
  func noKotlin() async {
    for command in [["feed"], ["probe", "latency"], ["probe", "dispatch"]] {
      #expect(await Gallery.run(command + ["--implementation", "kotlin"], on: transcript.console) == .failure)
      #expect(transcript.notes.last?.contains("make kotlin") == true)
    }
    #expect(transcript.lines.isEmpty)
  }

  @Test(
    "a command line that cannot be carried out says why",
    arguments: [
      (["probe", "speed"], "there is no probe \"speed\". See gallery probe --help."),
      (
        ["probe", "latency", "--updates", "0"], "--updates is 1 to 100000, not \"0\". See gallery probe latency --help."
      ),
      (["probe", "latency", "--format", "xml"], "--format is table or json, not \"xml\". See gallery probe latency"),
      (
        ["probe", "dispatch", "--implementation", "go"],
        "--implementation is c or kotlin, not \"go\". See gallery probe"
      ),
      (
        ["probe", "latency", "--hz", "30", "--frames", "display"],
        "--hz is for a clock; a display has its own frames. See gallery probe latency --help."
      ),
      (["probe", "latency", "--frames", "tv"], "--frames is any or display or clock, not \"tv\". See gallery probe"),
      (["feed", "--rate", "-1"], "--rate is 0 to 100000, not \"-1\". See gallery feed --help."),
      (["feed", "--updates"], "--updates needs a value. See gallery feed --help."),
      (["feed", "--bogus"], "there is no option --bogus. See gallery feed --help."),
    ])
  func misuse(arguments: [String], message: String) async {
    #expect(await Gallery.run(arguments, on: transcript.console) == .usage)
    #expect(transcript.lines.isEmpty)
    #expect(transcript.notes.first?.hasPrefix("gallery: " + message) == true)
  }

  @Test("help lists every option", arguments: [["feed"], ["probe"], ["probe", "latency"], ["probe", "dispatch"]])
  func help(command: [String]) async {
    #expect(await Gallery.run(command + ["--help"], on: transcript.console) == .success)
    #expect(transcript.lines.joined().contains("USAGE: gallery \(command.joined(separator: " "))"))
  }

  private func run(_ arguments: String...) async -> ExitCode {
    await Gallery.run(arguments, on: transcript.console)
  }
}
