/// Takes files that a person drops or chooses, on the main actor.
import GTKFiles

final class FileTaker {
  private let take: @MainActor (String) -> Void

  init(_ take: @escaping @MainActor (String) -> Void) { self.take = take }
}

// Contract: GTK emits "drop" and "response" on the thread that runs its loop (GTK 4 Reference, "Threads"), and
// `GLibMainActor.attach()` refuses every thread but the main one. The protocol is of no isolation, for C calls it; this
// conformance checks the contract at each call, and a call from elsewhere ends the program there.
extension FileTaker: @preconcurrency FileReceiver {
  func receive(path: String) { take(path) }
}
