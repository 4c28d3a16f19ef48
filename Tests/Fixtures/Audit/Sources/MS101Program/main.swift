/// A command with tasks: what it reads and writes once is its own affair.
import Foundation

try await run(CommandLine.arguments)

@MainActor
private func run(_ arguments: [String]) async throws {
  let settings = try Settings.read(URL(fileURLWithPath: arguments[1]))
  for name in settings.names { print(name) }
  Rest.take()
  let feed = Feed()
  for await name in feed.names { await feed.show(URL(fileURLWithPath: name)) }
}
