/// A boundary whose callers promise to be on the main actor: checked, applied in the same call, no hop.

import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// A place where callbacks arrive that are promised to be on the main actor, although no type says so.
///
/// Use it for a delegate, an observer on the main queue, a completion handler documented to run there, or a foreign
/// runtime's main dispatcher. `deliver` checks the promise and applies the value before it returns, so state changes
/// in the same frame. A broken promise stops the program at once and names this boundary, instead of corrupting state.
///
/// ```swift
/// let states = AssertedBoundary("feed states", contract: "FeedController.observe calls back on the main thread")
/// controller.observe { state in states.deliver(state) { model.state = $0 } }
/// ```
///
/// The main actor's executor must be the main dispatch queue, as it is unless a program replaces it.
public struct AssertedBoundary: Sendable {
  @usableFromInline let record: BoundaryRecord
  private let file: StaticString
  private let line: UInt

  /// A boundary that relies on a promise.
  ///
  /// - Parameters:
  ///   - name: what arrives here, for messages and reports.
  ///   - contract: the promise this boundary relies on, and who makes it.
  ///   - file: the file of the boundary; leave it to the default.
  ///   - line: the line of the boundary; leave it to the default.
  public init(_ name: String, contract: String, file: StaticString = #fileID, line: UInt = #line) {
    let identity = BoundaryIdentity(name: name, contract: contract, file: "\(file)", line: line, kind: .asserted)
    self.record = Boundaries.record(identity)
    self.file = file
    self.line = line
  }

  /// Applies a value on the main actor, in this call.
  ///
  /// The value need not be `Sendable`: it never leaves the actor that receives it. Called off the main actor, the
  /// program traps and names the boundary, its contract, its file and line and the queue the call came from; in survey
  /// mode the call is recorded and `apply` runs later on the main actor, which is why it must be escaping.
  ///
  /// Costs about as much as `MainActor.assumeIsolated`.
  @inlinable
  public func deliver<Value>(_ value: Value, _ apply: @escaping @MainActor (Value) -> Void) {
    guard MainQueue.isCurrent, !record.isSurveyed else { return deliverWithCare(value, apply) }
    record.countOnMain()
    // SAFETY: the main queue is current, so this is the main actor, and `apply` returns before this call does.
    unsafeBitCast(apply, to: ((Value) -> Void).self)(value)
  }

  @usableFromInline
  func deliverWithCare<Value>(_ value: Value, _ apply: @escaping @MainActor (Value) -> Void) {
    let isOnMain = MainQueue.isCurrent || MainQueue.isCurrentBehindAnotherQueue
    guard record.isSurveyed else {
      if !isOnMain { refuse() }
      record.countOnMain()
      return unsafeBitCast(apply, to: ((Value) -> Void).self)(value)
    }
    let number = record.countSurveyed(
      from: isOnMain ? nil : Whereabouts.current, canTell: isOnMain || !MainQueue.isInsideCustomExecutorJob)
    guard !isOnMain else {
      record.noteApplied(number: number)
      return unsafeBitCast(apply, to: ((Value) -> Void).self)(value)
    }
    // SAFETY: outside survey mode the program would have stopped here. The caller keeps no promise about who else
    // holds the value, so a survey is for finding such callers, not for running with them.
    let delivery = UncheckedDelivery(value: value, apply: apply)
    DispatchQueue.main.async {
      record.noteApplied(number: number)
      MainActor.assumeIsolated { delivery.apply(delivery.value) }
    }
  }

  /// Names the broken promise and lets the runtime's own check stop the program.
  ///
  /// The runtime is the judge because it knows one case that cannot be told without trapping: a main-queue block
  /// that waits in another queue's `sync` for this callback. That one passes, as it would with `assumeIsolated`.
  private func refuse() {
    var message = "\(file):\(line): boundary '\(record.identity.name)' was entered off the main actor, on "
    message += "\(Whereabouts.current). Its contract: \"\(record.identity.contract)\". "
    message += "Correct the caller, or use a HoppingBoundary; "
    switch Boundaries.mode {
    case .misspelt(let word): message += "MAINSTAY_BOUNDARIES=\(word) means nothing, the only mode is 'survey'.\n"
    default: message += "MAINSTAY_BOUNDARIES=survey records every such call instead of stopping.\n"
    }
    record.noteRefused(from: Whereabouts.current)
    writeToStandardError(message)
    MainActor.assumeIsolated {}
  }
}

/// A value on its way to the main actor without proof that its sender let go of it. Survey mode only.
private struct UncheckedDelivery<Value>: @unchecked Sendable {
  let value: Value
  let apply: @MainActor (Value) -> Void
}

/// Writes all of a message in one call, so that messages of several threads do not mix.
private func writeToStandardError(_ message: String) {
  var message = message
  message.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}
