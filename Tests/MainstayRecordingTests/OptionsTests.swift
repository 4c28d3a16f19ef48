import Foundation
import MainstayRecording
import MainstayTrace
import Testing

@Suite("Options and failures of a recording")
struct OptionsTests {
  /// `MainstayTrace` has a type of this name too.
  typealias Recording = MainstayRecording.Recording

  @Test(
    "refuses what cannot be, naming the option",
    arguments: [
      ("hertz", Recording.Options(hertz: 0)), ("hertz", .init(hertz: -60)), ("hertz", .init(hertz: 1001)),
      ("budget", .init(budget: .zero)), ("budget", .init(budget: .milliseconds(-5))),
      ("budget", .init(budget: .seconds(3601))), ("memory", .init(memory: 0)), ("memory", .init(memory: 1 << 20)),
      ("memory", .init(memory: .max)), ("file", .init(file: "")), ("file", .init(file: "a\0b")),
    ])
  func refused(name: String, options: Recording.Options) {
    let failure = #expect(throws: Recording.Failure.self) { try Recording.start(options) }
    #expect(failure?.description.hasPrefix("\(name): ") == true)
    #expect(!Recording.isStarted)
  }

  @Test("leaves alone what is no recording, and says where it cannot write")
  func places() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mainstay-options-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let letter = "\(folder)/letter.txt"
    try "dear reader".write(toFile: letter, atomically: true, encoding: .utf8)
    #expect(throws: Recording.Failure.exists(path: letter)) { try Recording.start(.init(file: letter)) }
    #expect(try String(contentsOfFile: letter, encoding: .utf8) == "dear reader")
    let missing = "\(folder)/missing/app.rec"
    let failure = #expect(throws: Recording.Failure.self) { try Recording.start(.init(file: missing)) }
    #expect(failure == .cannotWrite(path: missing, reason: "No such file or directory"))
    #expect(!Recording.isStarted)
  }

  @Test("knows that it was not started")
  func notStarted() {
    #expect(throws: Recording.Failure.notStarted) { try Recording.stop() }
    #expect(throws: Recording.Failure.notStarted) { try Recording.summary() }
  }

  @Test(
    "ends every failure in what to do",
    arguments: [
      Recording.Failure.alreadyStarted, .notStarted, .option("hertz", "0 is no rate: a whole number"),
      .declined("is recorded already"), .cannotWrite(path: "a", reason: "no"), .exists(path: "a"),
      .unreadable(.notARecording(path: "a")), .unsupportedPlatform,
    ])
  func actions(failure: Recording.Failure) {
    let text = failure.description
    #expect(
      ["call ", "Name ", "says what", "Make one", "measure ", "a whole"].contains { text.contains($0) }, "\(text)")
  }
}
