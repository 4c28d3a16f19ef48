/// The search feature as the second article leaves it, in our words: busy flag after the hop, results unguarded.
import Foundation
import Observation
import SwiftUI

@Observable
final class PublishedSearch {
  var text = ""
  var hits: [Hit] = []
  var isBusy = false
  var problem: String?

  private let service = HitService()

  func submit() {
    let key = normalised(text)
    Task { await loadHits(key) }
  }

  private func loadHits(_ key: String) async {
    isBusy = true  // expect: late_state
    problem = nil
    do {
      hits = try await service.hits(for: key)  // expect: stale_result
    } catch {
      problem = error.localizedDescription  // expect: stale_result
    }
    isBusy = false
  }

  nonisolated private func normalised(_ text: String) -> String {
    text.trimmingCharacters(in: .whitespaces).lowercased()
  }
}

nonisolated struct HitService: Sendable {
  func hits(for key: String) async throws -> [Hit] {
    let data = try await Wire().get(key)
    return try await HitDecoder.decode(data)
  }
}

nonisolated struct Wire: Sendable {
  @concurrent func get(_ key: String) async throws -> Data { Data(key.utf8) }
}

nonisolated struct Hit: Decodable, Sendable { let title: String }

nonisolated enum HitDecoder {
  @concurrent static func decode(_ data: Data) async throws -> [Hit] {
    try JSONDecoder().decode([Hit].self, from: data)
  }
}
