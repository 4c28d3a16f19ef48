/// Work on many files at once, with results in the order of the input.
import Dispatch
import Synchronization

enum ConcurrentMap {
  /// Transforms the numbers below a count on at most `width` threads. Blocks until all are done; the order in which they
  /// are done is nobody's concern.
  static func results<Result: Sendable>(
    of count: Int, width: Int, _ transform: @Sendable (Int) -> Result
  ) -> [Result] {
    if width <= 1 || count <= 1 { return (0..<count).map(transform) }
    let results = Mutex<[Result?]>(Array(repeating: nil, count: count))
    let next = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: min(width, count)) { _ in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        let result = transform(index)
        results.withLock { $0[index] = result }
      }
    }
    return results.withLock { $0.compactMap(\.self) }
  }

  /// What a closure makes of each of many files, one list after the other.
  static func lists<Element: Sendable>(
    of files: [String], width: Int, _ transform: @Sendable (String) -> [Element]
  ) -> [Element] {
    results(of: files.count, width: width) { transform(files[$0]) }.flatMap(\.self)
  }
}
