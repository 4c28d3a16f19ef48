/// A call known to be heavy or blocking: what it is, how it is spelled, and why it counts.
import MainstayFindings

struct Sink: Sendable, Hashable {
  enum Category: String, Sendable, Hashable {
    /// Waits for something outside: the thread does nothing meanwhile.
    case blocking
    /// Takes time that grows with its input or with a device.
    case heavy
  }

  enum Condition: String, Sendable, Hashable {
    case always
    /// Cheap when everything passed is a literal.
    case inputGrows
    /// The compiler refuses it directly in async code, so only the way through synchronous functions is ours.
    case refusedInAsync
    /// Blocks on a descriptor: counts only in modules that never make one non-blocking.
    case descriptor
    /// A lock that is taken and not let go in the same job: async code got around what the compiler refuses.
    case heldLock
    /// Writes to an open file: standard output and standard error are as `print`, and whoever reads them decides.
    case openFile
    /// Waits only when it is told to: `addOperations(operations, waitUntilFinished: true)`.
    case toldToWait
    /// `flock`: not when it lets the lock go, nor when it is told not to wait.
    case fileLock
    /// What a constant of a type or of a file is made of is made once.
    case eachTime
    /// `DispatchQueue.sync`: counts on the main queue, or around a closure that is not free of sinks.
    case queueSync
  }

  var pattern: CalleePattern
  var category: Category
  var condition: Condition
  var confidence: Confidence
  /// Why it counts, after "because": "decoding grows with its input".
  var reason: String
}
