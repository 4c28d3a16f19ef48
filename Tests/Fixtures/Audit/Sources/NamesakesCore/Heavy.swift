/// Types that read files, on the main actor when a third module asks. Another module's types of the same names do nothing of
/// the kind: no root of these findings is theirs.
import Foundation
import SwiftUI

public struct Client: Sendable {
  public var fetch: @Sendable () -> Data?
  public init(fetch: @escaping @Sendable () -> Data?) { self.fetch = fetch }

  public static let disk = Client(fetch: {
    FileManager.default.contents(atPath: "/var/lib/rows")  // expect: main_actor_blocking
  })
}

public protocol Source: Sendable { func rows() -> Int }

public struct Archive: Source {
  public init() {}
  public func rows() -> Int {
    FileManager.default.contents(atPath: "/var/lib/archive")?.count ?? 0  // expect: main_actor_blocking
  }
}

open class Loader {
  public init() {}
  open func load() -> Int { 0 }
}

public final class FileLoader: Loader {
  override public func load() -> Int {
    FileManager.default.contents(atPath: "/var/lib/archive")?.count ?? 0  // expect: main_actor_blocking
  }
}

/// No view, unlike the other module's.
public struct Badge {
  public let text: String
  public init(path: String) { text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}
