import Foundation
import Testing

@testable import PlaybackStore

@Suite("The playback settings file")
struct PlaybackFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "playback-\(UUID().uuidString)")
  private var path: String { folder.appending(path: "playback.json").path }
  private var file: PlaybackFile { PlaybackFile(path: path) }
  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? [] }

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  @Test("gives back what was saved, and leaves nothing else behind")
  func roundTrip() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(await file.load() == LoadedSettings())
    try await file.save(PlaybackSettings(position: 3))
    try file.saveHere(PlaybackSettings(position: 41))
    #expect(await file.load() == LoadedSettings(settings: PlaybackSettings(position: 41)))
    #expect(names == ["playback.json"])
  }

  @Test(
    "a file that is not understood is kept aside under another name, and said so",
    arguments: [
      ("", "it holds no settings of playback"), ("not JSON", "it holds no settings of playback"),
      (#"{"schema": "gallery.playback/9", "position": 3}"#, #"its schema is "gallery.playback/9""#),
      (#"{"schema": "gallery.playback/1", "position": -3}"#, "-3 is no position"),
    ])
  func foreign(text: String, reason: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for number in 1...2 {
      try Data(text.utf8).write(to: URL(filePath: path))
      let loaded = await file.load()
      #expect(loaded.settings == PlaybackSettings() && loaded.canSave)
      let notice = try #require(loaded.notice)
      #expect(notice.contains("kept as \(path).kept-\(number), because") && notice.contains(reason))
      #expect(try String(contentsOfFile: "\(path).kept-\(number)", encoding: .utf8) == text)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test("what cannot be kept aside is never overwritten")
  func untouchable() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    // A folder of that name can be neither read nor linked, not even by root.
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let loaded = await file.load()
    #expect(!loaded.canSave)
    #expect(loaded.notice?.hasSuffix("Nothing will be saved.") == true)
    #expect(names == ["playback.json"])
  }

  @Test("a save that fails names the file and the reason, and leaves the old one")
  func failure() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let nowhere = PlaybackFile(path: folder.appending(path: "none/playback.json").path)
    let error = await #expect(throws: PlaybackFileError.self) { try await nowhere.save(PlaybackSettings()) }
    #expect(error?.reason == "No such file or directory")
    try await file.save(PlaybackSettings(position: 7))
    try FileManager.default.createDirectory(atPath: path + ".new", withIntermediateDirectories: true)
    await #expect(throws: PlaybackFileError.self) { try await file.save(PlaybackSettings(position: 8)) }
    #expect(await file.load().settings.position == 7)
  }
}
