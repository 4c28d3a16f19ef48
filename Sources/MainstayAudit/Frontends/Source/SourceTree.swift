/// Parses source on threads whose stacks are large enough for code that nests deeper than people write it.
import Foundation
import SwiftParser
import SwiftSyntax
import Synchronization

enum SourceTree {
  /// Files larger than this are generated tables, which hold nothing that a rule judges.
  static let largestFile = 8_000_000

  /// How many `[` may open one after the other. For each the parser of Swift 6.3 looks ahead twice whether a type begins,
  /// so that time doubles with every one: 0.06 s at 16, 2.9 s at 22.
  static let deepestBrackets = 16

  /// What a file holds, or nil when it is left out. Bytes that are not UTF-8 are replaced.
  static func text(_ file: String) -> String? { try? read(file).text }

  /// What a file holds, and whether all of it was UTF-8: what was not is replaced.
  ///
  /// - Throws: `FrontendFailure` when the file cannot be read, is no text or enormous, or would keep the parser busy for
  ///   ever.
  static func read(_ file: String) throws -> (text: String, isUTF8: Bool) {
    var status = stat()
    guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let data = status.st_size > largestFile ? Data() : FileManager.default.contents(atPath: file)
    else { throw FrontendFailure(reason: "it cannot be read") }
    if status.st_size > largestFile { throw FrontendFailure(reason: "it is larger than \(largestFile / 1_000_000) MB") }
    // UTF-16 is half of zeros; one that got into a text by accident is read past.
    if data.count(where: { $0 == 0 }) * 100 > data.count { throw FrontendFailure(reason: "it is no UTF-8 text") }
    if opensTooManyBrackets(data) {
      throw FrontendFailure(reason: "more than \(deepestBrackets) brackets open one after the other")
    }
    if let whole = String(data: data, encoding: .utf8) { return (whole, true) }
    return (String(decoding: data, as: UTF8.self), false)
  }

  static func opensTooManyBrackets(_ data: Data) -> Bool {
    var open = 0
    for byte in data {
      switch byte {
      case UInt8(ascii: "["):
        open += 1
        if open > deepestBrackets { return true }
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      default: open = 0
      }
    }
    return false
  }

  /// Parses a text and works on the tree where it was parsed: walking it and letting it go need the stack, too.
  static func parse<Result>(_ text: String, _ body: (SourceFileSyntax) -> Result) -> Result {
    DeepStack.run { body(Parser.parse(source: text)) }
  }
}

/// Threads with 512 MB of stack each: addresses, of which only what is used costs memory.
enum DeepStack {
  private static let size = 512 << 20

  private final class Work {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Runs a closure on a thread of its own and waits for it.
  static func run<Result>(_ body: () -> Result) -> Result {
    var result: Result?
    withoutActuallyEscaping(body) { body in
      let work = Work { result = body() }
      if let thread = start(work) { pthread_join(thread, nil) } else { work.body() }
    }
    guard let result else { preconditionFailure("the thread ended without its result") }
    return result
  }

  /// Runs a closure for every index below a count, several at a time.
  static func perform(_ count: Int, width: Int, _ body: @Sendable (Int) -> Void) {
    let next = Atomic<Int>(0)
    func drain() {
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        body(index)
      }
    }
    withoutActuallyEscaping(drain) { drain in
      let threads = (0..<max(1, min(width, count))).map { _ in start(Work(drain)) }
      if threads.contains(where: { $0 == nil }) { drain() }
      for case let thread? in threads { pthread_join(thread, nil) }
    }
  }

  /// Nil when the system gives no thread: the caller does the work itself.
  private static func start(_ work: Work) -> pthread_t? {
    withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory in
      guard let attributes = memory.baseAddress, pthread_attr_init(attributes) == 0 else { return nil }
      defer { pthread_attr_destroy(attributes) }
      pthread_attr_setstacksize(attributes, size)
      var thread: pthread_t = 0
      let pointer = Unmanaged.passRetained(work)
      let status = pthread_create(
        &thread, attributes,
        { pointer in
          if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
          return nil
        }, pointer.toOpaque())
      if status == 0 { return thread }
      pointer.release()
      return nil
    }
  }
}
