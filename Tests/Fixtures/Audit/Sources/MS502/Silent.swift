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
