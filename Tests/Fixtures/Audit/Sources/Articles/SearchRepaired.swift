/// The same feature repaired: the flag before the task, a generation around every write.
import Foundation
import Observation
import SwiftUI

@Observable
final class RepairedSearch {
  var text = ""
  private(set) var hits: [Hit] = []
  private(set) var isBusy = false
  private(set) var problem: String?
  private var generation = 0
  private var task: Task<Void, Never>?

  private let service = HitService()

  func submit() {
    task?.cancel()
    generation += 1
    isBusy = true
    problem = nil
    let key = text.lowercased()
    let mine = generation
    task = Task { await load(key, mine) }
  }

  private func load(_ key: String, _ mine: Int) async {
    do {
      let found = try await service.hits(for: key)
      guard mine == generation else { return }
      hits = found
      isBusy = false
    } catch {
      guard mine == generation else { return }
      problem = error.localizedDescription
      isBusy = false
    }
  }
}
