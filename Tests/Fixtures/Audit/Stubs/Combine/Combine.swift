/// Enough of Combine's shape for observable objects: our own declarations, without behaviour.
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
