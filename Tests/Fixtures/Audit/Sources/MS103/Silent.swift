/// Work that really leaves, and returns with its result only.
import Foundation

func parseAway(_ data: Data) -> [Int] { (try? JSONDecoder().decode([Int].self, from: data)) ?? [] }

@MainActor
final class QuietChat {
  var rows: [Int] = []

  func load(_ data: Data) {
    Task.detached {
      let parsed = parseAway(data)
      await self.show(parsed)
    }
  }

  func show(_ rows: [Int]) { self.rows = rows }
}
