/// Results that are asked whether they are still wanted, or that nothing can overtake.
import Observation
import SwiftUI

@MainActor
final class QuietSearch {
  var results: [String] = []
  var byQuery: [String: [String]] = [:]
  var generation = 0
  var problem: String?
  var isLoading = false
  var task: Task<Void, Never>?
  let service: any SearchService
  init(service: any SearchService) { self.service = service }

  func token(_ query: String) async {
    generation += 1
    let mine = generation
    let found = await service.search(query)
    guard mine == generation else { return }
    results = found
  }

  func checked(_ query: String) async {
    let found = await service.search(query)
    guard !Task.isCancelled else { return }
    results = found
  }

  func throwing(_ query: String) async throws {
    let found = await service.search(query)
    try Task.checkCancellation()
    results = found
  }

  /// Cancelled by its successor, and the await itself throws.
  func queryChanged(_ query: String) {
    task?.cancel()
    task = Task {
      do {
        let found = try await service.fetch(query)
        results = found
      } catch {}
    }
  }

  /// What failed is said, whatever was asked for since.
  func reported(_ query: String) async {
    do {
      _ = try await service.fetch(query)
    } catch {
      problem = error.localizedDescription
    }
  }

  /// Each answer has its own place.
  func keyed(_ query: String) async {
    byQuery[query] = await service.search(query)
  }

  /// A second run is kept out.
  func alone(_ query: String) async {
    guard !isLoading else { return }
    isLoading = true
    defer { isLoading = false }
    results = await service.search(query)
  }

  /// Nothing about the request changes.
  func everything() async {
    results = await service.search("all")
  }
}

/// Whoever asks for the same thing twice gets it twice.
@MainActor
final class SameThing {
  var rows: [String] = []
  let service: any SearchService
  init(service: any SearchService) { self.service = service }

  func tapped() {
    Task { rows = await service.search("everything") }
  }
}

/// The view cancels the task when its id changes, and then the await throws.
struct KeyedDetail: View {
  let service: any SearchService
  var id: String
  @State var lines: [String] = []

  var body: some View {
    Text("lines")
      .task(id: id) {
        do { lines = try await service.fetch(id) } catch {}
      }
  }
}

/// An initialiser's task is the first and the last of its object.
@MainActor
final class Upload {
  let service: any SearchService
  var query: String
  var lines: [String] = []

  init(service: any SearchService, query: String) {
    self.service = service
    self.query = query
    Task { lines = await self.service.search(self.query) }
  }
}

/// The screen asks until it has something.
@MainActor
final class Preferences {
  let service: any SearchService
  var isReady = false
  var isOpen = false
  init(service: any SearchService) { self.service = service }

  func viewDidAppear() {
    if !isReady { load() }
  }

  private func load() {
    Task {
      isOpen = await service.flag("open")
      isReady = true
    }
  }
}
