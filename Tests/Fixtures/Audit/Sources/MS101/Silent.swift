/// Work that leaves the main actor, short critical sections, and bounded input.
import Foundation
import MS101Core
import Synchronization

@concurrent func decodeElsewhere(_ data: Data) async throws -> [Row] {
  try JSONDecoder().decode([Row].self, from: data)
}

@MainActor
final class QuietModel {
  let lock = NSLock()
  let guarded = Mutex(0)
  var hits = 0

  func load(_ data: Data) async throws -> Int { try await decodeElsewhere(data).count }

  func count() {
    lock.lock()
    hits += 1
    lock.unlock()
    guarded.withLock { $0 += 1 }
    lock.withLock { hits += 1 }
  }

  func sample() throws -> [Row] {
    try JSONDecoder().decode([Row].self, from: Data("[{\"id\":1}]".utf8))
  }
}

/// Lines for whoever started the program.
struct Lines: Sendable {
  let print: @Sendable (String) -> Void
  static let process = Lines { line in FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

@MainActor
func tell(_ text: String) {
  FileHandle.standardError.write(Data(text.utf8))
  Lines.process.print(text)
}

/// A facade that only awaits.
protocol Transport: Sendable {
  func get(_ url: URL) async throws -> Data
}

@MainActor
final class Facade {
  let transport: any Transport
  init(transport: any Transport) { self.transport = transport }
  func page(_ url: URL) async throws -> Data { try await transport.get(url) }
}

/// Heavy, but nobody on the main actor calls it.
func offMain(_ data: Data) throws -> [Row] { try JSONDecoder().decode([Row].self, from: data) }

actor Decoder {
  func decode(_ data: Data) throws -> [Row] { try offMain(data) }
}

@MainActor
func detached(_ url: URL) {
  Task.detached { _ = try? Data(contentsOf: url) }
}

/// A message of a few words and numbers.
struct Subscription: Codable {
  struct Token: Codable { var value: String, expires: Date }
  var kind: String
  var stream: String?
  var count = 0
  var token: Token
}

@MainActor
final class Subscriber {
  private let encoder = JSONEncoder()
  private(set) var last: Subscription?
  func subscribe(_ subscription: Subscription) throws -> Data { try encoder.encode(subscription) }
  func restore(_ data: Data) throws { last = try JSONDecoder().decode(Subscription.self, from: data) }
}

/// What is left of an attempt that failed is removed where it failed.
@MainActor
final class Attempts {
  private func prepare() throws {}
  func begin(in folder: URL) {
    do {
      try prepare()
    } catch {
      try? FileManager.default.removeItem(at: folder)
    }
  }
}

/// A pattern that is compiled once for all.
enum Patterns {
  static let number = try? NSRegularExpression(pattern: "[0-9]+", options: [])
}

@MainActor func matches(_ text: String) -> Int {
  Patterns.number?.numberOfMatches(in: text, range: NSRange(location: 0, length: 1)) ?? 0
}

/// An object that is written out where it is encoded: a few names and numbers.
@MainActor
func announce(_ port: Int, root: URL, isFirst: Bool) -> Data? {
  let object: [String: Any] = [
    "port": port, "root": root.path, "frame": ["x": 0.5, "name": root.lastPathComponent], "isFirst": isFirst,
  ]
  return try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
}

/// A pattern that stands in the source, when something is sent.
@MainActor func tags(in text: String) -> Int {
  let pattern = try? NSRegularExpression(pattern: "#[a-z]+", options: [])
  return pattern?.numberOfMatches(in: text, range: NSRange(location: 0, length: 1)) ?? 0
}
