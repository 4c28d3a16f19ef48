/// The decode under default isolation: its type says nothing, so it runs on the main actor.
import Foundation

struct Payload: Decodable { let values: [Int] }

struct PlainDecoder {
  func values(_ data: Data) async throws -> [Int] {
    try JSONDecoder().decode(Payload.self, from: data).values  // expect: main_actor_blocking
  }
}
