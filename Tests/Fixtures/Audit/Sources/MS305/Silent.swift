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

/// The comment says that it has to be another turn.
@MainActor
final class Measured {
  var height = 0

  func measured(_ new: Int) {
    DispatchQueue.main.async {  // call in the next render cycle
      self.height = new
    }
  }

  func moved() {
    // If the row is opened at the same time as the others are closed, it does not open.
    DispatchQueue.main.async { self.height = 0 }
  }
}

/// A closure that a view of another toolkit calls while it is made.
@MainActor
final class PopUpHost {
  let creator: () -> Int
  init(creator: @escaping () -> Int) { self.creator = creator }
  func makeNSView(context: Int) -> Int { creator() }
}

@MainActor
final class Picker {
  var button = 0
  func host() -> PopUpHost {
    PopUpHost {
      DispatchQueue.main.async { self.button = 1 }
      return 1
    }
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

/// A closure that code on no actor calls: it cannot count on the main actor.
final class Courier {
  let open: (String) -> Void
  init(open: @escaping (String) -> Void) { self.open = open }
  func received(_ name: String) { open(name) }
}

@MainActor
final class Windows {
  var shown = ""
  func courier() -> Courier {
    Courier { name in
      print(name)
      DispatchQueue.main.async { self.shown = name }
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

/// A member that keeps another queue, and one that was given from outside.
@MainActor
final class OtherQueues {
  private let own = DispatchQueue(label: "own")
  private let given: DispatchQueue
  init(given: DispatchQueue = .main) { self.given = given }

  func show() {
    own.async { print("shown") }
    given.async { print("shown") }
  }
}
