/// A feature whose module is on the main actor by default.

import Mainstay

struct Article: Equatable, Sendable {
  var title: String
}

nonisolated struct Service: Sendable {
  @concurrent func search(_ query: String) async throws -> [Article] { [Article(title: query)] }
}

final class SearchModel {
  enum Phase: Equatable {
    case idle
    case loading
    case loaded([Article])
    case failed
  }

  private(set) var phase = Phase.idle
  private let latest = LatestTask()
  private let service = Service()
  private let journal = Journal<Int, String, Int>()

  func queryChanged(_ query: String) {
    guard !query.isEmpty else {
      latest.cancel()
      phase = .idle
      return
    }
    phase = .loading
    latest.start { [service] in
      try await service.search(query)
    } apply: { [weak self] result in
      switch result {
      case .success(let articles): self?.phase = .loaded(articles)
      case .failure: self?.phase = .failed
      }
    }
  }

  func remember(_ id: Int, _ query: String) async throws -> Int {
    try journal.perform(id: id, query) { undo in
      undo.set(self, \.phase, .idle)
      return query.count
    }
    return try await journal.committed(id)
  }

  func settle() async { await latest.settle() }
}

final class ForeignState { var text = "" }

final class Bridge {
  var text = ""
  private let states = AssertedBoundary("states", contract: "the callback is documented to run on the main queue")
  private lazy var texts = HoppingBoundary<String>("texts") { [weak self] in self?.text = $0 }

  func received(_ state: ForeignState) {
    states.deliver(state) { [weak self] in self?.text = $0.text }
  }

  func sender() -> @Sendable (String) -> Void {
    let texts = texts
    return { texts.send($0) }
  }

  func walk(_ rows: [ForeignState]) async throws {
    try await FrameSlicer().forEach(rows) { row in text += row.text }
  }

  func worst() async -> Duration {
    let heartbeat = Heartbeat()
    heartbeat.start(interval: .milliseconds(4))
    heartbeat.onStall(over: .milliseconds(100)) { _ in self.text = "late" }
    return await heartbeat.stop().worst
  }
}
