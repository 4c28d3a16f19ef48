import BuiltTool
import FeedImplementations
import ForeignFeed
import Foundation
import Testing

/// What the feed's boundaries rely on is pinned to the other side's declarations: a change there is a finding of the
/// audit, and a trap of the boundary.
@Suite("The feed's contracts", .timeLimit(.minutes(30)), .enabled(if: BuiltTool.isHere, "no tool"))
struct FeedContractTests {
  /// A change of a dispatcher on the other side, and the contracts that it breaks.
  struct Change: Sendable, CustomTestStringConvertible {
    var file: String
    var from: String
    var to: String
    var breaks: [String]
    var testDescription: String { "\(file): \(to)" }
  }

  static let inC = Change(
    file: "Sources/CFeed/controller.c", from: "feed_controller_observe_on(controller, FEED_MAIN_IMMEDIATE,",
    to: "feed_controller_observe_on(controller, FEED_WORKER,",
    breaks: ["Sources/CFeed/controller.c#feed_controller_observe"])
  static let inKotlin = Change(
    file: "Kotlin/FeedController.kt", from: "SupervisorJob() + Dispatchers.Main.immediate",
    to: "SupervisorJob() + Dispatchers.Default", breaks: ["Kotlin/FeedController.kt#FeedController.scope"])

  static let changes = [
    inC, inKotlin,
    Change(
      file: "Sources/CFeed/controller.c", from: "feed_controller_observe_on(controller, FEED_WORKER,",
      to: "feed_controller_observe_on(controller, FEED_MAIN,",
      breaks: ["Sources/CFeed/controller.c#feed_controller_observe_off_main"]),
    Change(
      file: "Kotlin/FeedController.kt", from: "collect(scope, null, onState, onEnd)",
      to: "collect(offMainScope, null, onState, onEnd)", breaks: ["Kotlin/FeedController.kt#FeedController.observe"]),
    Change(
      file: "Kotlin/FeedController.kt", from: "SupervisorJob() + Dispatchers.Default",
      to: "SupervisorJob() + Dispatchers.Main", breaks: ["Kotlin/FeedController.kt#FeedController.offMainScope"]),
    Change(
      file: "Kotlin/FeedController.kt", from: "collect(offMainScope, null, onState, onEnd)",
      to: "collect(scope, null, onState, onEnd)", breaks: ["Kotlin/FeedController.kt#FeedController.observeOffMain"]),
    Change(
      file: "Sources/CFeed/include/feed.h",
      from: "feed_status feed_controller_observe(feed_controller *controller, feed_observer observer,",
      to:
        "feed_status feed_controller_observe(feed_controller *controller, feed_dispatcher where, feed_observer observer,",
      breaks: ["Sources/CFeed/include/feed.h#feed_controller_observe"]),
    Change(
      file: "Sources/CFeed/include/feed.h",
      from: "feed_status feed_controller_observe_off_main(feed_controller *controller, feed_observer observer,",
      to: "feed_status feed_controller_observe_off_main(feed_controller *controller, feed_observer *observer,",
      breaks: ["Sources/CFeed/include/feed.h#feed_controller_observe_off_main"]),
  ]

  @Test("hold, and are pinned to what each implementation declares")
  func pinned() async throws {
    let tool = try #require(BuiltTool.path, "\(BuiltTool.absence)")
    let check = try await Subprocess.run(tool, ["contract", "check", BuiltTool.examples])
    #expect(check.status == 0 && check.output.isEmpty, "\(check.output)\(check.notes)")
    let list = try await Subprocess.run(tool, ["contract", "list", BuiltTool.examples])
    for target in Self.changes.flatMap(\.breaks) {
      #expect(list.output.contains("\(target) is as it was pinned"), "\(list.output)")
    }
  }

  @Test("are broken by a change of the dispatcher on the other side, and fail the audit", arguments: changes)
  func audited(change: Change) async throws {
    let tool = try #require(BuiltTool.path, "\(BuiltTool.absence)")
    let copy = try Self.copy()
    defer { try? FileManager.default.removeItem(at: copy) }
    let before = try await Self.audit(copy, tool)
    #expect(before.status == 0 && before.targets.isEmpty, "\(before)")
    try Self.make(change, in: copy)
    let after = try await Self.audit(copy, tool)
    #expect(after.status == 2, "\(after)")
    #expect(after.targets == change.breaks)
    let check = try await Subprocess.run(tool, ["contract", "check", copy.path])
    #expect(check.status == 2)
    #expect(check.output.contains("\(change.breaks[0]) changed since it was pinned"))
  }

  @Test("that are broken in C trap in the asserted boundary, which names what it relied on")
  func trapsInC() async throws {
    let copy = try Self.copy()
    defer { try? FileManager.default.removeItem(at: copy) }
    try Self.make(Self.inC, in: copy)
    let program = try await ChangedGallery.linked(
      with: copy.appending(path: Self.inC.file), insteadOf: "CFeed.build/controller.c.o", into: copy)
    try await Self.expectTrap(program, .c)
  }

  @Test(
    "that are broken in Kotlin trap in the asserted boundary, which names what it relied on",
    .enabled(if: FeedImplementation.kotlin.absence == nil, "run 'make kotlin'"))
  func trapsInKotlin() async throws {
    let copy = try Self.copy()
    defer { try? FileManager.default.removeItem(at: copy) }
    try Self.make(Self.inKotlin, in: copy)
    let kotlin = try await ChangedGallery.kotlin(from: copy.appending(path: "Kotlin"), into: copy)
    try await Self.expectTrap(GalleryProcess.path, .kotlin, environment: ["GALLERY_KOTLIN": kotlin])
  }

  private static func expectTrap(
    _ program: String, _ implementation: FeedImplementation, environment: [String: String] = [:]
  ) async throws {
    let outcome = try await Subprocess.run(
      program, ["feed", "--updates", "10", "--implementation", implementation.rawValue], environment: environment)
    #expect(outcome.isSignal || outcome.status > 128, "\(outcome)")
    #expect(outcome.output.isEmpty)
    let contract = try implementation.makeController().contract.observe
    #expect(outcome.notes.contains("boundary 'feed states' was entered off the main actor"), "\(outcome.notes)")
    #expect(outcome.notes.contains("Its contract: \"\(contract)\""))
    #expect(outcome.files.isEmpty, "left behind: \(outcome.files)")
  }

  /// The feed's own part of the package.
  private static func copy() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "feed-contracts-\(UUID().uuidString)")
    let package = URL(filePath: BuiltTool.examples)
    try FileManager.default.createDirectory(at: folder.appending(path: "Sources"), withIntermediateDirectories: true)
    for part in ["Package.swift", "Kotlin"] + ["CFeed", "ForeignFeed", "FeedImplementations"].map({ "Sources/\($0)" }) {
      try FileManager.default.copyItem(at: package.appending(path: part), to: folder.appending(path: part))
    }
    return folder
  }

  private static func make(_ change: Change, in copy: URL) throws {
    let file = copy.appending(path: change.file)
    let text = try String(contentsOf: file, encoding: .utf8)
    let changed = text.replacing(change.from, with: change.to)
    try #require(changed != text, "\(change.file) has no '\(change.from)' any more")
    try changed.write(to: file, atomically: true, encoding: .utf8)
  }

  /// The exit status, and the declarations that MS303 names.
  private static func audit(_ copy: URL, _ tool: String) async throws -> (status: Int32, targets: [String]) {
    struct Document: Decodable {
      struct Finding: Decodable {
        var code: String
        var message: String
      }
      var findings: [Finding]
    }
    let outcome = try await Subprocess.run(
      tool, ["audit", copy.path, "--source-only", "--rules", "MS303", "--format", "json"])
    let document = try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
    let targets = document.findings.filter { $0.code == "MS303" }.map {
      String($0.message.prefix { !$0.isWhitespace })
    }
    return (outcome.status, targets)
  }
}
