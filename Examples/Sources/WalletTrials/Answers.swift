/// Answers that come from several tasks.
import Synchronization

/// Collects answers by key.
final class Answers: Sendable {
  private let answers = Mutex<[String: LoadAnswer]>([:])

  func add(_ answer: LoadAnswer) { answers.withLock { $0[answer.key] = answer } }
  var byKey: [String: LoadAnswer] { answers.withLock { $0 } }
}
