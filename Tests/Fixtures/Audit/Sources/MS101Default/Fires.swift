/// The module's default isolation is the main actor: what says nothing runs there.
import Foundation

struct Item: Codable { var id: Int }

nonisolated protocol Net: Sendable {
  @concurrent func bytes() async throws -> Data
}

final class ApiClient {
  let net: any Net
  init(net: any Net) { self.net = net }

  func items() async throws -> [Item] {
    let data = try await net.bytes()
    return try JSONDecoder().decode([Item].self, from: data)  // expect: main_actor_blocking
  }
}

/// Half a fix: nonisolated, but it runs on its caller's executor, and its caller is here.
nonisolated struct Item2: Codable, Sendable { var id: Int }

nonisolated final class ApiClientHalf: Sendable {
  let net: any Net
  init(net: any Net) { self.net = net }

  func items() async throws -> [Item2] {
    let data = try await net.bytes()
    return try JSONDecoder().decode([Item2].self, from: data)  // expect: main_actor_blocking
  }
}

final class UsesHalf {
  let client: ApiClientHalf
  var items: [Item2] = []
  init(client: ApiClientHalf) { self.client = client }
  func load() async throws -> Int { try await client.items().count }
}
