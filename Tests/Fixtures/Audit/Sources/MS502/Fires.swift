/// Services that live on the main actor for convenience.
import Foundation

struct Payment: Codable, Sendable { var amount: Int }

@MainActor
final class PaymentService {  // expect: service_on_main note
  private let file: URL
  init(file: URL) { self.file = file }
  func load() throws -> [Payment] {
    let data = try Data(contentsOf: file)  // expect: main_actor_blocking
    return try JSONDecoder().decode([Payment].self, from: data)  // expect: main_actor_blocking
  }
}

@MainActor
struct OrderImport {  // expect: service_on_main note
  func rows(_ file: String) -> [Substring] {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""  // expect: main_actor_blocking
    return text.split(separator: "\n")
  }
}
