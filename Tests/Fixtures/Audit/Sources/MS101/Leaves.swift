/// The same shapes, with the work away from the main actor.
import Dispatch
import Elsewhere
import Foundation

func readHosts() -> String { (try? String(contentsOfFile: "/etc/hosts", encoding: .utf8)) ?? "" }

@globalActor
actor DiskActor {
  static let shared = DiskActor()
}

@DiskActor
final class Disk {
  nonisolated init() {}
  func hosts() -> String { readHosts() }
}

actor Files {
  func read(_ url: URL) -> Data? { try? Data(contentsOf: url) }
}

/// Without the upcoming feature a nonisolated async function leaves its caller's actor.
func readLater(_ url: URL) async -> Data? { try? Data(contentsOf: url) }

@MainActor
final class Leaving {
  var text = ""
  let disk = Disk()
  let files = Files()
  let loader: @Sendable (URL) async -> Data? = { url in try? Data(contentsOf: url) }

  func all(_ url: URL) async {
    text = await disk.hosts()
    _ = await files.read(url)
    _ = await readLater(url)
    _ = await loader(url)
    async let data = readLater(url)
    _ = await data
    _ = await Task.detached { readHosts() }.value
    await withTaskGroup(of: Void.self) { group in
      group.addTask { _ = readHosts() }
    }
    Task { @concurrent in _ = readHosts() }
    DispatchQueue.global().async { _ = readHosts() }
    DispatchQueue(label: "io").async { _ = readHosts() }
    Thread.detachNewThread { _ = readHosts() }
    let operations = OperationQueue()
    operations.addOperation { _ = readHosts() }
  }

  /// A closure that is only stored for others.
  func later() -> @Sendable () -> String { { readHosts() } }

  /// Observers on no queue run wherever the notification is posted: nobody knows.
  func observe() -> any NSObjectProtocol {
    NotificationCenter.default.addObserver(forName: .init("other"), object: nil, queue: nil) { _ in
      _ = readHosts()
    }
  }

  /// A description of a file is no read of it.
  func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  /// A literal pattern of the language, checked when it was compiled.
  func isNumber(_ text: String) -> Bool { text.wholeMatch(of: /[0-9]+/) != nil }
}

/// A completion that its function also gives away: it runs here when there is nothing to do.
func fetch(_ url: URL?, _ completion: @escaping @Sendable (Data?) -> Void) {
  guard let url else {
    completion(nil)
    return
  }
  DispatchQueue.global().async { completion(try? Data(contentsOf: url)) }
}

@MainActor func fetches(_ url: URL?, _ operations: OperationQueue) {
  fetch(url) { data in _ = data.flatMap { try? JSONDecoder().decode([String].self, from: $0) } }
  operations.addOperations([], waitUntilFinished: false)
}
