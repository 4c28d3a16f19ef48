/// The whole fix: the type leaves the main actor and its async function leaves its caller's.
import Foundation

nonisolated struct Entry: Codable, Sendable { var id: Int }

nonisolated final class ApiClientFixed: Sendable {
  let net: any Net
  init(net: any Net) { self.net = net }

  @concurrent func items() async throws -> [Entry] {
    let data = try await net.bytes()
    return try JSONDecoder().decode([Entry].self, from: data)
  }
}

final class UsesFixed {
  let client: ApiClientFixed
  init(client: ApiClientFixed) { self.client = client }
  func count() async throws -> Int { try await client.items().count }
}

/// A closure whose type says that it leaves, whoever keeps it.
final class KeepsWork {
  let work: @concurrent (Data) async -> [String] = { data in
    (try? JSONDecoder().decode([String].self, from: data)) ?? []
  }
  func run(_ data: Data) async -> Int { await work(data).count }
}
