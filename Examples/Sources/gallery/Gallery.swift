/// The command line of the applications that the articles describe.
import Foundation

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
      var arguments = Arguments(arguments)
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
      case "make-catalogue":
        guard let command = try MakeCatalogue(&arguments) else { return console.help(MakeCatalogue.help) }
        return try await command.run(on: console)
      case nil, "help", "--help", "-h":
        return console.help(help)
      case .some(let other):
        throw UsageError("there is no command \"\(other)\"", see: "gallery --help")
      }
    } catch let error as UsageError {
      console.note("gallery: \(error)")
      return .usage
    } catch {
      console.note("gallery: \(error)")
      return .failure
    }
  }
}

enum ExitCode: Int32 {
  case success = 0
  case failure = 1
  case usage = 3
}
