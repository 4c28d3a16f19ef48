// flags: -swift-version 6 -default-isolation MainActor
/// Article row 2.4: under default isolation a plain conformance belongs to the main actor.
import Foundation

struct Hit: Decodable { let title: String }

nonisolated enum Decoder {
  @concurrent static func decode(_ data: Data) async throws -> Hit {
    try JSONDecoder().decode(Hit.self, from: data)  // diagnostic: conformance of 'Hit' to 'Decodable'
  }
}
