/// Enough of Combine's shape for observable objects: our own declarations, without behaviour.
import Dispatch

public protocol ObservableObject: AnyObject {}

@propertyWrapper
public struct Published<Value> {
  private var value: Value
  public init(wrappedValue: Value) { value = wrappedValue }
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }
}

public struct Subscription: Sendable {}

public struct Values<Output> {
  public init() {}
  public func map<New>(_ change: @escaping (Output) -> New) -> Values<New> { Values<New>() }
  public func receive(on queue: DispatchQueue) -> Values { self }
  public func sink(receiveValue: @escaping (Output) -> Void) -> Subscription { Subscription() }
}
