/// A program that does one thing after the other and ends: nobody waits for the main actor meanwhile.
import Foundation

try await run(CommandLine.arguments)

@MainActor
private func run(_ arguments: [String]) async throws {
  let settings = try Settings.read(URL(fileURLWithPath: arguments[1]))
  for name in settings.names { try Report.write(name, to: URL(fileURLWithPath: name)) }
  let feed = Feed()
  for await name in feed.names { await feed.show(URL(fileURLWithPath: name)) }
}
