/// Facts of files kept between runs, each under a key that says everything they depend on.
import Foundation

struct FactsCache: Sendable {
  let directory: String

  init(directory: String) {
    self.directory = directory
    try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  func facts(for key: String) -> FileFacts? {
    guard let data = FileManager.default.contents(atPath: path(key)) else { return nil }
    return data.withUnsafeBytes { FactsCodec.decode($0) }
  }

  /// A cache that cannot be written costs time, never correctness: failures are ignored.
  func store(_ facts: FileFacts, for key: String) {
    let path = path(key)
    let temporary = path + ".\(ProcessInfo.processInfo.processIdentifier)"
    guard (try? Data(FactsCodec.encode(facts)).write(to: URL(fileURLWithPath: temporary))) != nil else { return }
    if rename(temporary, path) != 0 { unlink(temporary) }
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
