import Catalogue
import CatalogueMaker
import Foundation
import Pictures
import PixbufPictures
import PlaybackStore
import Testing

@testable import gallery

/// The pages of the application without a window.
@MainActor
@Suite("Pages on the command line", .timeLimit(.minutes(30)))
struct PageCommandTests {
  private let transcript = Transcript()
  private let folder = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  private func path(_ name: String) -> String { folder.appending(path: name).path }
  private func run(_ arguments: String...) async -> ExitCode { await Gallery.run(arguments, on: transcript.console) }

  @Test("palette prints the same colours, wherever they are computed")
  func palette() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let picture = Picture.drawn(seed: 4, width: 200, height: 120)
    try PixbufCodec().encoded(picture, as: .png).write(to: URL(filePath: path("a.png")))
    #expect(await run("palette", "--picture", path("a.png"), "--colours", "4") == .success)
    #expect(transcript.lines.count == 4)
    #expect(transcript.lines.allSatisfy { $0.hasPrefix("#") && $0.hasSuffix(" %") })
    #expect(transcript.notes.last?.hasPrefix("200 × 120 pixels: ") == true)
    let before = transcript.lines
    #expect(await run("palette", "--picture", path("a.png"), "--colours", "4", "--on-main") == .success)
    #expect(transcript.lines == before + before)
  }

  @Test("palette refuses what is no picture, and goes on living")
  func noPicture() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("words".utf8).write(to: URL(filePath: path("a.txt")))
    #expect(await run("palette", "--picture", path("a.txt")) == .failure)
    #expect(transcript.notes == ["gallery: a.txt is no picture that is known here. Choose a PNG or JPEG picture."])
    #expect(await run("palette") == .usage)
    #expect(transcript.notes.last == "gallery: --picture FILE is missing. See gallery palette --help.")
  }

  @Test("playback goes on from where it ended")
  func playback() async {
    defer { try? FileManager.default.removeItem(at: folder) }
    let settings = ["--settings", path("p.json"), "--interval", "0ms"]
    #expect(await Gallery.run(["playback", "--steps", "5"] + settings, on: transcript.console) == .success)
    #expect(
      await Gallery.run(["playback", "--steps", "2", "--on-main"] + settings, on: transcript.console) == .success)
    #expect(transcript.lines.filter { !$0.hasPrefix("saved") } == ["from 0", "to 5", "from 5", "to 7"])
    #expect(transcript.notes.isEmpty)
  }

  @Test("playback survives a kill at any moment: what was said to be saved is there, and the file is whole")
  func killed() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = PlaybackFile(path: path("p.json"))
    let program = try Self.program()
    var last = 0
    for round in 1...12 {
      let text = try await Self.playback(program, settings: file.path, killedAfter: round)
      let said = text.split(separator: "\n").filter { $0.hasPrefix("saved ") }.compactMap { Int($0.dropFirst(6)) }
      let loaded = await file.load()
      #expect(loaded.notice == nil && loaded.canSave)
      if let newest = said.last {
        #expect(loaded.settings.position >= newest, "round \(round)")
        #expect(newest > last, "it goes on from where it was killed")
      }
      last = loaded.settings.position
    }
    #expect(last > 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.allSatisfy { $0 == "p.json" || $0 == "p.json.new" })
  }

  @Test("thumbnails says for each way what the formula foresees and what the main actor did")
  func thumbnails() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try await CatalogueMaker(count: 400, seed: 1).write(to: path("c.json"))
    #expect(
      await run("thumbnails", "--catalogue", path("c.json"), "--query", "the", "--decoding", "1ms") == .success)
    #expect(transcript.lines.count == 4)
    #expect(transcript.lines[1].hasPrefix("inside the main-actor task"))
    #expect(await run("thumbnails", "--catalogue", path("c.json"), "--query", "zzzz") == .failure)
    #expect(transcript.notes.last == "gallery: no article is found by \"zzzz\". Ask for another with --query.")
    #expect(await run("thumbnails", "--decoding", "2s") == .usage)
  }

  /// Plays, killed when it has said so many lines, that is, at another place of its work each time; what it has said.
  ///
  /// On a thread of its own: a disk that is slow holds neither the main actor, which the tests of every suite share, nor a
  /// thread of the pool.
  private nonisolated static func playback(
    _ program: URL, settings: String, killedAfter lines: Int
  ) async throws -> String {
    try await withCheckedThrowingContinuation { played in
      Thread.detachNewThread {
        let process = Process()
        process.executableURL = program
        process.arguments = ["playback", "--settings", settings, "--steps", "50", "--interval", "1ms"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        played.resume(
          with: Result {
            try process.run()
            var text = ""
            while text.split(separator: "\n").count <= lines {
              let bytes = output.fileHandleForReading.availableData
              if bytes.isEmpty { break }
              text += String(decoding: bytes, as: UTF8.self)
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            return text + String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
          })
      }
    }
  }

  /// Beside this test bundle.
  private static func program() throws -> URL {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: "gallery")
  }
}
