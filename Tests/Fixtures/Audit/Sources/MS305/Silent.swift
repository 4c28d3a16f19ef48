/// Boundaries where blocks are the interface, and code that awaits.
import Combine
import Foundation
import FoundationNetworking
import SwiftUI

@MainActor
final class Ticker {
  var ticks = 0
  private var source: (any DispatchSourceTimer)?

  func start() {
    let source = DispatchSource.makeTimerSource(queue: .main)
    source.setEventHandler { [weak self] in
      DispatchQueue.main.async { self?.ticks += 1 }
    }
    source.resume()
    self.source = source
  }

  func appear() {
    DispatchQueue.main.async {
      withAnimation { self.ticks = 1 }
    }
  }

  func show(_ count: Int) { ticks = count }
}

struct Loader: Sendable {
  let ticker: Ticker
  func load() async { await ticker.show(1) }
}

/// Neither async nor isolated: there is nothing to await from.
func report(_ text: String) {
  DispatchQueue.main.async { print(text) }
}

/// State that is set in the midst of an update waits for the update's end.
@MainActor
final class Zoomed {
  var location = 0
  func updateUIView(_ view: Ticker, context: Int) {
    DispatchQueue.main.async { self.location = 0 }
  }
}

/// Each turn lets the run loop have its own.
@MainActor
final class Turner {
  var turns = 0
  func turn() {
    turns += 1
    if turns > 100 { return }
    DispatchQueue.main.async { self.turn() }
  }
}

/// State must not change while the view that shows it is laid out.
struct Banner: View {
  @State var offset = 0
  let height: Int

  var body: some View {
    VStack {
      let _ = DispatchQueue.main.async { offset = height }
      Text("banner")
    }
  }
}

/// Handlers that are called elsewhere: there is no main actor yet to await from.
@MainActor
final class Pages {
  var page = 0
  var subscription: Subscription?
  let values = Values<Int>()

  func load(_ url: URL) {
    URLSession.shared.dataTask(with: url) { _, _, _ in
      DispatchQueue.main.async { self.page = 1 }
    }.resume()
  }

  func follow() {
    subscription = values.receive(on: DispatchQueue.global()).map { $0 + 1 }.sink { value in
      DispatchQueue.main.async { self.page = value }
    }
  }
}
