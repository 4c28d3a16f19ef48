import Foundation
import Observation
import PlaybackStore
import Testing

@testable import Playback

@MainActor
@Suite("The keeper of playback's position", .timeLimit(.minutes(30)))
struct PlaybackKeeperTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "keeper-\(UUID().uuidString)")
  private var path: String { folder.appending(path: "playback.json").path }

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  /// Returns when the log's last entry is of that position.
  private func saved(_ position: Int, by keeper: PlaybackKeeper) async {
    for await entry in Observations({ keeper.log.last }) where entry?.position == position { return }
  }

  @Test("saves every position in order, and goes on from the last one", arguments: [false, true])
  func saves(onMain: Bool) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let keeper = await PlaybackKeeper.opened(PlaybackFile(path: path))
    keeper.place = onMain ? .onMainActor : .concurrent
    for position in 1...4 {
      keeper.model.advance()
      await saved(position, by: keeper)
      #expect(await PlaybackFile(path: path).load().settings.position == position)
    }
    #expect(keeper.log == (1...4).map { PlaybackKeeper.Entry(position: $0, problem: nil) })
    await keeper.stop()
    let next = await PlaybackKeeper.opened(PlaybackFile(path: path))
    #expect(next.model.position == 4 && next.log.isEmpty)
    await next.stop()
    #expect(next.log.isEmpty, "what has not changed is not saved")
  }

  @Test("stopping saves the newest position, whatever was being saved")
  func stops() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let keeper = await PlaybackKeeper.opened(PlaybackFile(path: path))
    for _ in 1...50 { keeper.model.advance() }
    await keeper.stop()
    #expect(await PlaybackFile(path: path).load().settings.position == 50)
    #expect(keeper.log.last?.position == 50)
  }

  @Test("a disk that fails is in the log, and playback goes on")
  func failing() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let keeper = await PlaybackKeeper.opened(PlaybackFile(path: folder.appending(path: "none/p.json").path))
    keeper.model.advance()
    await saved(1, by: keeper)
    #expect(keeper.log.last?.problem?.contains("No such file or directory") == true)
    #expect(keeper.model.position == 1)
    await keeper.stop()
  }

  @Test("a settings file that is not understood and cannot be kept aside is left alone")
  func foreign() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let keeper = await PlaybackKeeper.opened(PlaybackFile(path: path))
    #expect(keeper.notice?.hasSuffix("Nothing will be saved.") == true)
    keeper.model.advance()
    await saved(1, by: keeper)
    #expect(keeper.log.last?.problem == keeper.notice)
    await keeper.stop()
  }
}
