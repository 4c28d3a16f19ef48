/// The way back of a unit of work in progress.

/// The steps that take back what a unit of work has done so far.
///
/// It lives only inside the closure of ``Journal/perform(id:_:_:)``: it cannot be copied, kept or captured by a closure
/// that outlives the call, so no step can be added to a unit of work that is over.
public struct Undo: ~Copyable {
  @usableFromInline var steps: [() -> Void] = []

  /// - Parameter room: an empty array, whose memory it uses until ``forget(leaving:)``.
  @inlinable
  init(in room: inout [() -> Void]) {
    swap(&steps, &room)
  }

  /// Adds a step to be run if the unit of work fails. Steps run in reverse order.
  ///
  /// Register a step *after* what it takes back has succeeded. Registered before a write that throws, it would undo
  /// what never happened.
  ///
  /// - Parameter step: takes back one change. It runs synchronously, in the isolation of the unit of work, at most once.
  @inlinable
  public mutating func onRollback(_ step: @escaping () -> Void) {
    steps.append(step)
  }

  /// Writes a property and registers the step that writes the old value back: neither can be forgotten.
  ///
  /// - Parameters:
  ///   - object: the object that holds the property.
  ///   - path: the property.
  ///   - value: its new value.
  @inlinable
  public mutating func set<Object: AnyObject, Value>(
    _ object: Object, _ path: ReferenceWritableKeyPath<Object, Value>, _ value: Value
  ) {
    let old = object[keyPath: path]
    object[keyPath: path] = value
    steps.append { object[keyPath: path] = old }
  }

  @inlinable
  func rollBack() {
    for step in steps.reversed() { step() }
  }

  /// Drops the steps of a unit of work that is over, and leaves their memory to the next.
  @inlinable
  mutating func forget(leaving room: inout [() -> Void]) {
    // A unit of a thousand steps is an exception, and its memory is not worth keeping.
    steps.removeAll(keepingCapacity: steps.count <= 64)
    swap(&steps, &room)
  }
}
