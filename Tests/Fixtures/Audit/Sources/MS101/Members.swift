/// Members whose code runs without a call that one sees: lazy and observed properties, defer, nested functions.
import Elsewhere
import Foundation

@MainActor
final class Preferences {
  lazy var text = (try? String(contentsOfFile: "/etc/hosts", encoding: .utf8)) ?? ""  // expect: main_actor_blocking
  var name = "" {
    didSet { try? name.write(toFile: "/tmp/name", atomically: true, encoding: .utf8) }  // expect: main_actor_blocking
  }

  func rename(_ url: URL) {
    defer { try? FileManager.default.removeItem(at: url) }  // expect: main_actor_blocking
    name = "new"
  }

  func nested(_ urls: [URL]) -> Int {
    func size(_ url: URL) -> Int {
      (try? Data(contentsOf: url))?.count ?? 0  // expect: main_actor_blocking
    }
    return urls.reduce(0) { $0 + size($1) }
  }

  func choose(_ kind: Int, _ url: URL) throws -> Data? {
    switch kind {
    case 0: return nil
    case 1: return try FileHandle(forReadingFrom: url).readToEnd()  // expect: main_actor_blocking
    default: return nil
    }
  }

  func poll(_ path: String) -> Int {
    var turns = 0
    while FileManager.default.contents(atPath: path) == nil { turns += 1 }  // expect: main_actor_blocking
    return turns
  }

  func pattern(_ text: String) throws -> Bool {
    try NSRegularExpression(pattern: text).numberOfMatches(  // expect: main_actor_blocking
      in: text, range: NSRange(location: 0, length: 1)) > 0
  }

  func encoded(_ rows: [String]) throws -> Data {
    try JSONEncoder().encode(rows)  // expect: main_actor_blocking
  }
}

/// In an extension, in another file's type, and overridden from another module.
extension Screen {
  func dump(_ url: URL) { try? Data(title.utf8).write(to: url) }  // expect: main_actor_blocking
}

final class HostsScreen: Screen {
  var text = ""
  override func refresh() {
    text = (try? String(contentsOfFile: "/etc/hosts", encoding: .utf8)) ?? ""  // expect: main_actor_blocking
  }
}

/// Isolated because its protocol is.
final class Presenter: Presenting {
  func present(_ url: URL) { _ = try? Data(contentsOf: url) }  // expect: main_actor_blocking
}

/// A generic main-actor type.
@MainActor
final class Paged<Element: Decodable> {
  var elements: [Element] = []
  func accept(_ data: Data) throws {
    elements += try JSONDecoder().decode([Element].self, from: data)  // expect: main_actor_blocking
  }
}

/// A nonisolated function of a main-actor type runs where it is called.
@MainActor
final class Mixed {
  nonisolated func size(_ url: URL) -> Int { (try? Data(contentsOf: url))?.count ?? 0 }  // expect: main_actor_blocking
  func show(_ url: URL) -> Int { size(url) }
}
