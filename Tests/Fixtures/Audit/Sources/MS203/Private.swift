/// Views whose state is private, tokens that helpers compare, and waits that do not throw.
import Observation
import SwiftUI

struct KeyedScreen: View {
  let service: any SearchService
  let id: String
  @State private var lines: [String] = []
  @State private var more: [String] = []
  @State private var wanted: [String] = []

  var body: some View {
    VStack {
      Text("lines").task(id: id) {
        let found = await service.search(id)
        lines = found  // expect: stale_result
      }
      Text("more").task(id: id) { await load() }
      Text("wanted").task(id: id) {
        let found = await service.search(id)
        guard !Task.isCancelled else { return }
        wanted = found
      }
    }
  }

  private func load() async {
    let found = await service.search(id)
    more = found  // expect: stale_result
  }
}

/// Two of one kind: nobody else sets either.
struct FixedScreen: View {
  let service: any SearchService
  @State private var lines: [String] = []
  @State private var more: [String] = []
  var body: some View { Text("\(lines.count)").onAppear { load() } }
  private func load() {
    Task {
      lines = await service.search("lines")
      more = await service.search("more")
    }
  }
}

@MainActor
final class Compared {
  var rows: [String] = []
  var only: [[String]] = []
  private var newest = 0
  private var task: Task<Void, Never>?
  let service: any SearchService
  init(service: any SearchService) { self.service = service }

  /// A helper is given the token, and compares it.
  func load(_ query: String) async {
    newest += 1
    let mine = newest
    let found = await service.search(query)
    apply(found, mine)
  }
  private func isNewest(_ token: Int) -> Bool { token == newest }
  private func apply(_ found: [String], _ token: Int) {
    guard isNewest(token) else { return }
    rows = found
  }

  /// Copied after the await, it is always the newest one.
  func late(_ query: String) async {
    newest += 1
    let found = await service.search(query)
    let mine = newest
    if mine == newest { rows = found }  // expect: stale_result
  }

  /// That the object is still there says nothing of the question.
  func changed(_ query: String) {
    task?.cancel()
    task = Task { [weak self, service] in
      let found = await service.search(query)
      self?.rows = found  // expect: stale_result
    }
  }

  /// In a collection that is written out.
  func wrapped(_ query: String) async {
    let found = await service.search(query)
    only = [found]  // expect: stale_result
  }
}
