/// A module below the user interface: nonisolated, synchronous, heavy.
import Foundation

public struct Row: Codable, Sendable { public var id: Int }

public enum CatalogueFile {
  public static func parse(_ data: Data) throws -> [Row] {
    try JSONDecoder().decode([Row].self, from: data)  // expect: main_actor_blocking
  }
}

public protocol RowStore: Sendable {
  func rows(in url: URL) -> [String]
}

public struct FileRowStore: RowStore {
  public init() {}
  public func rows(in url: URL) -> [String] {
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""  // expect: main_actor_blocking
    return text.split(separator: "\n").map(String.init)
  }
}
