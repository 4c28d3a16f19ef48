/// What a screen shows belongs on the main actor; what only waits does no harm there.
import Combine
import Foundation
import SwiftUI

@MainActor
final class PaymentList: ObservableObject {
  @Published var payments: [Payment] = []
  func show(_ payments: [Payment]) { self.payments = payments }
}

@MainActor
final class Facade {
  func rows() async -> [Int] {
    await Task.yield()
    return []
  }
}

struct PaymentStore: Sendable {
  func load(_ file: URL) throws -> Data { try Data(contentsOf: file) }
}

/// What a callback does is the affair of who made it.
@MainActor
final class Delivery {
  func run(_ completion: @escaping @Sendable (Data) -> Void) async {
    await Task.yield()
    completion(Data(count: 3))
  }
}

func deliver(_ delivery: Delivery) async {
  await delivery.run { data in
    _ = try? JSONDecoder().decode([Payment].self, from: data)  // expect: main_actor_blocking
  }
}
