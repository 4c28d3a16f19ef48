/// A module in Swift 5 mode that keeps closures and says nothing about where it calls them.
public final class LegacyEmitter {
  private var handlers: [() -> Void] = []
  public init() {}
  public init(onOpen: @escaping () -> Void) { handlers.append(onOpen) }
  public func onEvent(_ handler: @escaping () -> Void) { handlers.append(handler) }
  public func onOptional(_ handler: (() -> Void)? = nil) { if let handler { handlers.append(handler) } }
  public func onText(_ handler: @escaping (String) -> Void) { handlers.append { handler("") } }
  public func onValue(_ handler: @escaping @Sendable () -> Void) { handlers.append(handler) }
  public func onMain(_ handler: @escaping @MainActor () -> Void) {}
  public func forEachNow(_ body: () -> Void) { body() }
}

public protocol LegacyDelegate: AnyObject {
  func didReceive(_ value: Int)
}

public protocol LegacySource {
  var title: String { get }
}

/// Keeps a closure, and calls it on the main actor alone.
public struct LegacyReader {
  private let content: () -> Int
  public init(content: @escaping () -> Int) { self.content = content }
  @MainActor public func resolve() -> Int { content() }
}

/// Keeps a closure, and calls it from anywhere.
public struct LegacyListener {
  private let content: () -> Int
  public init(content: @escaping () -> Int) { self.content = content }
  public func resolve() -> Int { content() }
}
