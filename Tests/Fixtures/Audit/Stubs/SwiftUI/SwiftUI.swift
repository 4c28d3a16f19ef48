/// Enough of SwiftUI's shape to type-check view code: our own declarations, without behaviour.
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
  public var body: Never { fatalError("a primitive view has no body") }
}

@resultBuilder
public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView { TupleView() }
}

public struct EmptyView: View {
  nonisolated public init() {}
  public var body: Never { fatalError("a primitive view has no body") }
}

public struct TupleView: View {
  nonisolated init() {}
  public var body: Never { fatalError("a primitive view has no body") }
}

public struct Text: View {
  public init(_ text: String) {}
  public var body: Never { fatalError("a primitive view has no body") }
}

public struct Button: View {
  public init(_ title: String, action: @escaping @MainActor () -> Void) {}
  public init<Label: View>(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
  public var body: Never { fatalError("a primitive view has no body") }
}

@MainActor
public final class StateBox<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

@MainActor @preconcurrency @propertyWrapper
public struct State<Value> {
  private let box: StateBox<Value>
  public init(wrappedValue: Value) { box = StateBox(wrappedValue) }
  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
}

@MainActor @preconcurrency @propertyWrapper
public struct StateObject<Object: AnyObject> {
  private let make: () -> Object
  public init(wrappedValue make: @autoclosure @escaping () -> Object) { self.make = make }
  public var wrappedValue: Object { make() }
}

extension View {
  public func task(
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { self }
  public func task<ID: Equatable>(
    id: ID, @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { self }
  public func sheet<Content: View>(
    isPresented: Bool, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
  ) -> some View { self }
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
  public func onChange<V: Equatable>(of value: V, _ action: @escaping () -> Void) -> some View { self }
}

public func withAnimation<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

public struct List<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("a primitive view has no body") }
}

public struct VStack<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("a primitive view has no body") }
}

public struct Menu: View {
  public init<Content: View, Label: View>(
    @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label, primaryAction: @escaping () -> Void
  ) {}
  public var body: Never { fatalError("a primitive view has no body") }
}

public struct TextField: View {
  public init(_ title: String, text: Binding<String>) {}
  public var body: Never { fatalError("a primitive view has no body") }
}

@MainActor @preconcurrency
public struct Binding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (read, write) = (get, set) }
  public func map<Other>(getter: @escaping (Value) -> Other, setter: @escaping (Other) -> Value) -> Binding<Other> {
    Binding<Other>(get: { getter(read()) }, set: { write(setter($0)) })
  }
}

public struct ForEach<Data: RandomAccessCollection, Content: View>: View {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
  public var body: Never { fatalError("a primitive view has no body") }
}

public struct Image: View {
  public init(_ pixels: [UInt8]) {}
  public var body: Never { fatalError("a primitive view has no body") }
}
