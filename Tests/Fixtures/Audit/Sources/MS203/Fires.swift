/// Late results that overwrite the state of newer work.
import Combine
import Observation
import SwiftUI

protocol SearchService: Sendable {
  func search(_ query: String) async -> [String]
  func fetch(_ query: String) async throws -> [String]
  func flag(_ name: String) async -> Bool
}

@MainActor
final class SearchModel {
  var results: [String] = []
  var errorText: String?
  var task: Task<Void, Never>?
  let service: any SearchService
  init(service: any SearchService) { self.service = service }

  func load(_ query: String) async {
    results = await service.search(query)  // expect: stale_result
  }

  /// The check stands before the last await: after a debounce, not after the search.
  func debounced(_ query: String) async {
    try? await Task.sleep(for: .milliseconds(300))
    if Task.isCancelled { return }
    let found = await service.search(query)
    results = found  // expect: stale_result
  }

  /// A task that its successor cancels, but whose await does not throw.
  func queryChanged(_ query: String) {
    task?.cancel()
    task = Task {
      let found = await service.search(query)
      results = found  // expect: stale_result
    }
  }

  /// One whose await throws, and whose error is taken for an empty answer.
  func queryCleared(_ query: String) {
    task?.cancel()
    task = Task {
      let found = (try? await service.fetch(query)) ?? []
      results = found  // expect: stale_result
    }
  }

  /// The error path tells the same story.
  func report(_ query: String) async {
    do {
      let found = try await service.fetch(query)
      try Task.checkCancellation()
      results = found
    } catch {
      errorText = error.localizedDescription  // expect: stale_result
    }
  }

  /// Through a helper.
  func loadAndShow(_ query: String) async {
    let found = await service.search(query)
    show(found)  // expect: stale_result
  }

  private func show(_ found: [String]) { results = found }
}

extension Error {
  var localizedDescription: String { "\(self)" }
}

/// An observable model, and one of Combine.
@MainActor @Observable
final class ObservedModel {
  var rows: [String] = []
  @ObservationIgnored let service: any SearchService
  init(service: any SearchService) { self.service = service }

  func refresh(_ query: String) async {
    rows = await service.search(query)  // expect: stale_result
  }
}

@MainActor
final class PublishedModel: ObservableObject {
  @Published var rows: [String] = []
  let service: any SearchService
  init(service: any SearchService) { self.service = service }

  func refresh(_ query: String) async {
    let found = await service.search(query)
    withAnimation { rows = found }  // expect: stale_result
  }
}

/// A view that loads for an identity.
struct DetailView: View {
  let service: any SearchService
  var id: String
  @State var lines: [String] = []
  @State var isMember = false
  @State var isOwner = false

  var body: some View {
    VStack {
      Toggle("member", isOn: $isMember)
      Toggle("owner", isOn: $isOwner)
    }
    .task(id: id) {
      lines = await service.search(id)  // expect: stale_result
    }
    .onAppear {
      Task {
        isMember = await service.flag("member")  // expect: stale_result
        isOwner = await service.flag("owner")  // expect: stale_result
      }
    }
  }
}

/// A screen that asks for one thing, and sets what somebody else sets, too.
struct StatusView: View {
  let service: any SearchService
  @State var isKnown = false

  var body: some View {
    Button("forget") { isKnown = false }
      .onAppear {
        Task {
          isKnown = await service.flag("known")  // expect: stale_result
        }
      }
  }
}

/// A form whose field a person may go on to change.
@MainActor @Observable
final class OpenList {
  var title = ""
  var name = ""
  var isUpdating = false
  @ObservationIgnored let service: any SearchService
  init(service: any SearchService) { self.service = service }

  func clear() { title = "" }

  func update() async {
    isUpdating = true
    name = await service.search(title).first ?? ""  // expect: stale_result
    isUpdating = false
  }
}

struct OpenForm: View {
  @State var model: OpenList
  var body: some View {
    VStack {
      TextField("title", text: $model.title)
      TextField("name", text: $model.name)
    }
  }
}

/// Questions that wait for a pause, and cancel nothing.
@MainActor
final class HastySearch {
  var results: [String] = []
  private let questions = Questions()
  let service: any SearchService

  init(service: any SearchService) {
    self.service = service
    questions.sink { [weak self] question in
      guard let self else { return }
      Task { try await self.search(question) }
    }
  }

  func ask(_ question: String) async { questions.send(question) }

  private func search(_ question: String) async throws {
    results = try await service.fetch(question)  // expect: stale_result
  }
}

/// The screen asks each time that it comes, and the flag is another's.
@MainActor
final class Panel {
  let service: any SearchService
  var isShown = true
  var isOpen = false
  init(service: any SearchService) { self.service = service }

  func close() { isOpen = false }

  func viewDidAppear() {
    if isShown { load() }
  }

  private func load() {
    Task {
      isOpen = await service.flag("open")  // expect: stale_result
    }
  }
}
