/// The same forms with a question between the last await and the write.
import Observation
import SwiftUI

@MainActor @Observable
final class WantedModel {
  var items: [String] = []
  var selection = ""
  var problem: String?
  @ObservationIgnored private var token = 0
  @ObservationIgnored private var latest: Task<Void, Never>?
  @ObservationIgnored let service: any SearchService
  init(service: any SearchService) { self.service = service }

  /// Is it still what is selected?
  func load(_ id: String) async {
    let found = await service.search(id)
    if selection == id { items = found }
  }

  /// A token that a helper compares.
  private func isCurrent(_ mine: Int) -> Bool { mine == token }
  func tokened(_ id: String) async {
    token += 1
    let mine = token
    let found = await service.search(id)
    guard isCurrent(mine) else { return }
    items = found
  }

  /// Checked on both paths.
  func both(_ id: String) async {
    do {
      let found = try await service.fetch(id)
      try Task.checkCancellation()
      items = found
    } catch is CancellationError {
    } catch {
      guard !Task.isCancelled else { return }
      problem = "\(error)"
    }
  }

  /// Elements that arrive in order.
  func follow(_ values: AsyncStream<[String]>) async {
    for await value in values { items = value }
  }

  /// Waited for, and nothing taken from it.
  func wait(_ id: String) async {
    _ = await service.search(id)
    problem = nil
  }

  /// What is added is not lost.
  func append(_ id: String) async {
    items.append(contentsOf: await service.search(id))
  }

  /// In a task that its successor cancels, with a check.
  func changed(_ id: String) {
    latest?.cancel()
    latest = Task {
      let found = await service.search(id)
      if Task.isCancelled { return }
      items = found
    }
  }
}
