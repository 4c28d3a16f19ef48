/// `gallery playback`: a position that survives whatever ends the process.
import Foundation
import Observation
import Playback
import PlaybackStore
import Terminal

struct PlaybackCommand: Equatable, Sendable {
  static let defaultSettings = "Examples/Data/playback.json"

  static let help = """
    OVERVIEW: Plays from where the last run ended, and saves every position that it shows.

    Prints a position when the disk has it.

    USAGE: gallery playback [OPTIONS]

    OPTIONS:
      --settings FILE      where the position is kept (default: \(defaultSettings))
      --steps N            how many steps to play, 0 to \(PlaybackModel.end) (default: 20)
      --interval DURATION  the time between two steps (default: 20ms)
      --on-main            wait for the disk on the main actor
      --help               print this
    DURATION is a number with us, ms or s.
    """

  var settings = Self.defaultSettings
  var steps = 20
  var interval: Duration = .milliseconds(20)
  var place = PlaybackKeeper.Place.concurrent

  /// - Returns: `nil` when help was asked for.
  init?(_ arguments: inout Arguments) throws(UsageError) {
    while let option = try arguments.option() {
      switch option {
      case "--settings": settings = try arguments.value(of: option)
      case "--steps": steps = try arguments.number(of: option, in: 0...PlaybackModel.end)
      case "--interval": interval = try arguments.duration(of: option)
      case "--on-main": place = .onMainActor
      case "--help", "-h": return nil
      default: throw arguments.unknown(option)
      }
    }
  }

  @MainActor
  func run(on console: Console) async throws -> ExitCode {
    let keeper = await PlaybackKeeper.opened(PlaybackFile(path: settings))
    keeper.place = place
    if let notice = keeper.notice { console.complain("\(notice)") }
    console.print("from \(keeper.model.position)")
    let log = Task {
      var seen: Int?
      for await entry in Observations({ keeper.log.last }) {
        guard let entry, entry.position != seen else { continue }
        seen = entry.position
        report(entry, on: console)
      }
    }
    defer { log.cancel() }
    for _ in 0..<steps {
      if keeper.model.position == PlaybackModel.end { keeper.model.seek(to: 0) }
      keeper.model.advance()
      try await Task.sleep(for: interval)
    }
    await keeper.stop()
    console.print("to \(keeper.model.position)")
    return keeper.log.contains { $0.problem != nil } ? .failure : .success
  }

  private func report(_ entry: PlaybackKeeper.Entry, on console: Console) {
    if let problem = entry.problem {
      console.complain("\(problem)")
    } else {
      console.print("saved \(entry.position)")
    }
  }
}
