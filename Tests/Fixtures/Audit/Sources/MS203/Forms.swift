/// The forms of a late result: where the work starts, how the value arrives, and how it is written.
import Observation
import SwiftUI

@MainActor
final class DetailModel {
  struct Content { var title = "" }
  enum Phase { case idle, loading, loaded([String]), failed(String) }
  var content = Content()
  var phase = Phase.idle
  var selection = 0 { didSet { reload() } }
  var items: [String] = []
  let service: any SearchService
  init(service: any SearchService) { self.service = service }

  /// A field of a structure, and a case with the value in it.
  func title(_ id: String) async {
    content.title = await service.search(id).first ?? ""  // expect: stale_result
  }
  func load(_ id: String) async {
    phase = .loading
    do {
      phase = .loaded(try await service.fetch(id))  // expect: stale_result
    } catch {
      phase = .failed("\(error)")
    }
  }

  /// A task per change of the selection, weakly captured.
  private func reload() {
    let selection = selection
    Task { [weak self] in
      guard let self else { return }
      let found = await service.search("\(selection)")
      self.items = found  // expect: stale_result
    }
  }

  /// Through `async let`, and a setter.
  func both(_ id: String) async {
    async let found = service.search(id)
    setItems(await found)  // expect: stale_result
  }
  private func setItems(_ found: [String]) { items = found }

  /// Off the main actor, and back with `MainActor.run`.
  nonisolated func away(_ id: String) async {
    let found = await service.search(id)
    await MainActor.run { self.items = found }  // expect: stale_result
  }

  /// Checked before the last of two awaits.
  func two(_ id: String) async {
    let first = await service.search(id)
    guard !Task.isCancelled else { return }
    let second = await service.search(first.first ?? "")
    items = second  // expect: stale_result
  }

  /// A generic helper gives the value.
  func generic(_ id: String) async {
    items = await timed { await self.service.search(id) }  // expect: stale_result
  }
  private func timed<T: Sendable>(_ work: @MainActor () async -> T) async -> T { await work() }
}

/// A subclass writes its superclass's state.
@MainActor
class ListModel {
  var rows: [String] = []
}
final class RemoteList: ListModel {
  let service: any SearchService
  init(service: any SearchService) { self.service = service }
  func show(_ id: String) async {
    rows = await service.search(id)  // expect: stale_result
  }
}

/// A view whose text field searches on every change.
struct SearchField: View {
  let service: any SearchService
  @State var text = ""
  @State var hits: [String] = []

  var body: some View {
    Text(text).onAppear { search() }
  }

  private func search() {
    let query = text
    Task {
      hits = await service.search(query)  // expect: stale_result
    }
  }
}

/// One thing or its opposite: the older answer may win.
@MainActor
final class Mark {
  var isSet = false
  let service: any SearchService
  init(service: any SearchService) { self.service = service }

  func tapped() {
    Task {
      isSet = await isSet ? service.flag("clear") : service.flag("set")  // expect: stale_result
    }
  }
}
