/// The command line of the applications that the articles describe.
import FeedProbes
import Foundation
import Terminal

@main
struct Gallery {
  static let help = """
    OVERVIEW: The applications that the articles describe, without a screen.

    USAGE: gallery COMMAND [OPTIONS]

    COMMANDS:
      search          Type a query into a search field above a catalogue of 52,000 articles.
      thumbnails      Decode the pictures of twenty articles in three ways.
      playback        Play on from where the last run ended.
      palette         Find the colours of a picture.
      feed            Follow a feed that a foreign runtime drives.
      probe           Find out when and where that runtime's callbacks arrive.
      make-catalogue  Make that catalogue.

    "gallery COMMAND --help" lists the options of a command.
    """

  static func main() async {
    let status = await run(Array(CommandLine.arguments.dropFirst()), on: .process)
    // Returning would first free what the session holds: the whole catalogue, on the main actor.
    exit(status.rawValue)
  }

  /// - Returns: the exit status.
  @MainActor
  static func run(_ arguments: [String], on console: Console) async -> ExitCode {
    do {
      var arguments = Arguments(arguments, of: "gallery")
      switch arguments.command() {
      case "search":
        guard let options = try SearchOptions(&arguments) else { return console.help(SearchOptions.help) }
        return try await SearchSession.begin(options, on: console).run()
      case "thumbnails":
        guard let command = try ThumbnailsCommand(&arguments) else { return console.help(ThumbnailsCommand.help) }
        return try await command.run(on: console)
      case "playback":
        guard let command = try PlaybackCommand(&arguments) else { return console.help(PlaybackCommand.help) }
        return try await command.run(on: console)
      case "palette":
        guard let command = try PaletteCommand(&arguments) else { return console.help(PaletteCommand.help) }
        return await command.run(on: console)
      case "feed":
        guard let options = try FeedOptions(&arguments) else { return console.help(FeedOptions.help) }
        return try await FeedSession(options: options, console: console).run()
      case "probe":
        return try await probe(&arguments, on: console)
      case "make-catalogue":
        guard let command = try MakeCatalogue(&arguments) else { return console.help(MakeCatalogue.help) }
        return try await command.run(on: console)
      case nil, "help", "--help", "-h":
        return console.help(help)
      case .some(let other):
        throw UsageError("there is no command \"\(other)\"", see: "gallery --help")
      }
    } catch let error as UsageError {
      console.complain("\(error)")
      return .usage
    } catch {
      console.complain("\(error)")
      return .failure
    }
  }
}

extension Gallery {
  @MainActor
  private static func probe(_ arguments: inout Arguments, on console: Console) async throws -> ExitCode {
    switch arguments.command() {
    case "latency":
      guard let options = try LatencyOptions(&arguments) else { return console.help(LatencyOptions.help) }
      return try await LatencySession(options: options, console: console).run()
    case "dispatch":
      guard let options = try DispatchOptions(&arguments) else { return console.help(DispatchOptions.help) }
      return try await DispatchSession(options: options, console: console).run()
    case nil, "--help", "-h":
      return console.help(Probe.help)
    case .some(let other):
      throw UsageError("there is no probe \"\(other)\"", see: "gallery probe --help")
    }
  }
}

enum ExitCode: Int32 {
  case success = 0
  case failure = 1
  case usage = 3
}
