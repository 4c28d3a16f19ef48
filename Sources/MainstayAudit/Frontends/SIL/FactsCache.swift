/// Facts of files kept between runs, each under a key that says everything they depend on.
import Foundation
import Glibc

struct FactsCache: Sendable {
  let directory: String

  init(directory: String) {
    self.directory = directory
    try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  func facts(for key: String) -> FileFacts? { bytes(for: key)?.withUnsafeBytes { FactsCodec.decode($0) } }

  func store(_ facts: FileFacts, for key: String) { store(FactsCodec.encode(facts), for: key) }

  func bytes(for key: String) -> Data? { FileManager.default.contents(atPath: path(key)) }

  /// A cache that cannot be written costs time, never correctness: failures are ignored.
  func store(_ bytes: [UInt8], for key: String) {
    let path = path(key)
    let temporary = path + ".\(ProcessInfo.processInfo.processIdentifier)"
    if !FactsCache.write(bytes, to: temporary) || rename(temporary, path) != 0 { unlink(temporary) }
  }

  /// Not as Foundation does it, which waits for the disk: of thousands of entries that is a fifth of the time, and one
  /// that a lost machine left empty is read anew.
  private static func write(_ bytes: [UInt8], to path: String) -> Bool {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { return false }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  func text(for key: String) -> Data? { FileManager.default.contents(atPath: directory + "/" + key) }

  func store(_ data: Data, for key: String) {
    try? data.write(to: URL(fileURLWithPath: directory + "/" + key), options: .atomic)
  }

  /// Only the last findings are kept: they are worth nothing once a file changed.
  func storeResult(_ data: Data, for key: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    where name.hasSuffix(".findings") {
      unlink(directory + "/" + name)
    }
    store(data, for: key)
  }

  /// Removes entries that the last run did not use, so that a cache does not grow with every edit.
  func keepOnly(_ keys: Set<String>) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return }
    for name in names where name.hasSuffix(".facts") && !keys.contains(String(name.dropLast(6))) {
      unlink(directory + "/" + name)
    }
  }

  private func path(_ key: String) -> String { directory + "/" + key + ".facts" }
}
