/// The settings on disk: `{"schema": "gallery.playback/1", "position": 12}`.
import Foundation

/// Belongs to no actor. What a reader finds is always one whole save: the newest that was finished, whenever the process
/// is killed.
public struct PlaybackFile: Sendable {
  private struct Document: Codable {
    static let schema = "gallery.playback/1"

    var schema = Self.schema
    var position: Int
  }

  public let path: String

  public init(path: String) {
    self.path = path
  }

  /// Reads off the caller's actor. A file that is not understood is kept aside under another name, and the defaults are
  /// returned with a notice.
  @concurrent
  public func load() async -> LoadedSettings {
    await onThreadOfItsOwn { loadHere() }
  }

  /// Saves off the caller's actor, and returns when the disk has it.
  @concurrent
  public func save(_ settings: PlaybackSettings) async throws(PlaybackFileError) {
    try await onThreadOfItsOwn { Result { () throws(PlaybackFileError) in try saveHere(settings) } }.get()
  }

  /// Saves on the executor of the caller: it waits for the disk, which an actor with a frame budget does not have time
  /// for.
  public func saveHere(_ settings: PlaybackSettings) throws(PlaybackFileError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let bytes = try? encoder.encode(Document(position: settings.position)) else {
      throw PlaybackFileError(path: path, reason: "the settings cannot be encoded")
    }
    // A reader sees the old file or the new one: the name changes hands when the new one is on the disk.
    let draft = path + ".new"
    try written(bytes + Data("\n".utf8), to: draft)
    guard rename(draft, path) == 0 else { throw failure() }
    let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY)
    guard folder >= 0 else { throw failure() }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw failure() }
  }

  /// Not Foundation's way, which stops the program on a path of one letter.
  private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

  private func written(_ bytes: Data, to draft: String) throws(PlaybackFileError) {
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure() }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw failure() }
      rest = rest.dropFirst(count)
    }
    guard fsync(file) == 0 else { throw failure() }
  }

  private func failure() -> PlaybackFileError {
    PlaybackFileError(path: path, reason: String(cString: strerror(errno)))
  }

  private func loadHere() -> LoadedSettings {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch CocoaError.fileReadNoSuchFile {
      return LoadedSettings()
    } catch {
      return keptAside(because: "it cannot be read")
    }
    guard let document = try? JSONDecoder().decode(Document.self, from: bytes) else {
      return keptAside(because: "it holds no settings of playback")
    }
    guard document.schema == Document.schema else {
      return keptAside(because: "its schema is \"\(document.schema)\", not \"\(Document.schema)\"")
    }
    guard document.position >= 0 else {
      return keptAside(because: "\(document.position) is no position")
    }
    return LoadedSettings(settings: PlaybackSettings(position: document.position))
  }

  private func keptAside(because reason: String) -> LoadedSettings {
    for number in 1...100 {
      let other = "\(path).kept-\(number)"
      // A second name, which fails when there is a file of that name: what was kept before is never replaced.
      guard link(path, other) == 0 else {
        if errno == EEXIST { continue }
        break
      }
      guard unlink(path) == 0 else { break }
      return LoadedSettings(notice: "\(path) was kept as \(other), because \(reason). Playback begins anew.")
    }
    return LoadedSettings(
      notice: "\(path) is left as it is, because \(reason) and it cannot be renamed. Nothing will be saved.",
      canSave: false)
  }

  /// The disk may keep a thread waiting, and one of the pool's would keep other tasks waiting with it.
  private func onThreadOfItsOwn<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: work()) }
    }
  }
}

/// Why settings were not saved. What was saved before is still there.
public struct PlaybackFileError: Error, Equatable, CustomStringConvertible {
  public let path: String
  public let reason: String

  public var description: String {
    "\(path) cannot be saved: \(reason). Make its folder writable, or name another with --settings."
  }
}
