/// The ways in which a main-actor job can reach a sink: whatever the compiler may call through.
import Elsewhere
import Foundation

/// Generic over the sequence.
func readAll<S: Sequence>(_ urls: S) -> [Data] where S.Element == URL {
  var result: [Data] = []
  for url in urls {
    if let data = try? Data(contentsOf: url) { result.append(data) }  // expect: main_actor_blocking
  }
  return result
}

/// A default implementation of a protocol.
protocol Archive { var folder: URL { get } }
extension Archive {
  func names() -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []  // expect: main_actor_blocking
  }
}
struct Box: Archive { var folder: URL }

/// An override that is found through the object.
class Loader {
  func load(_ url: URL) -> Data? { nil }
}
final class FileLoader: Loader {
  override func load(_ url: URL) -> Data? {
    try? Data(contentsOf: url, options: .mappedIfSafe)  // expect: main_actor_blocking
  }
}

/// A generic parameter that is constrained to a protocol.
struct DiskReader: Reading {
  func read(_ url: URL) -> Data? { FileManager.default.contents(atPath: url.path) }  // expect: main_actor_blocking
}
func firstBytes<R: Reading>(_ reader: R, _ url: URL) -> Data? { reader.read(url)?.prefix(4) }

/// A subscript, a static function, an operator.
struct Folder {
  var path: String
  subscript(name: String) -> String? {
    try? String(contentsOfFile: path + "/" + name, encoding: .utf8)  // expect: main_actor_blocking
  }
  static func count(_ path: String) -> Int {
    FileManager.default.subpaths(atPath: path)?.count ?? 0  // expect: main_actor_blocking
  }
}
infix operator <~
func <~ (left: URL, right: Data) {
  try? right.write(to: left)  // expect: main_actor_blocking
}

/// A key path to a computed property.
struct Page {
  var url: URL
  var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }  // expect: main_actor_blocking
}

/// A closure kept in a property of a class, given to its initialiser.
@MainActor
final class Thumbnails {
  private let render: (URL) -> Data?
  var images: [Data] = []
  init(render: @escaping (URL) -> Data?) { self.render = render }
  convenience init() {
    self.init { url in try? Data(contentsOf: url) }  // expect: main_actor_blocking
  }
  func show(_ url: URL) { if let image = render(url) { images.append(image) } }
}

/// And in one of a struct, and as an optional that is set later.
struct Client: Sendable {
  var fetch: @Sendable (URL) -> Data?
  static let live = Client(fetch: { try? Data(contentsOf: $0) })  // expect: main_actor_blocking
}

@MainActor
final class Hooks {
  var onOpen: ((URL) -> Void)?
  var client = Client.live
  var lines = 0
  func install() {
    onOpen = { url in
      self.lines = (try? String(contentsOf: url, encoding: .utf8))?.count ?? 0  // expect: main_actor_blocking
    }
  }
  func open(_ url: URL) {
    onOpen?(url)
    _ = client.fetch(url)
  }
}

/// A function that is passed by its name.
func parse(_ data: Data) -> [String]? {
  try? JSONDecoder().decode([String].self, from: data)  // expect: main_actor_blocking
}

@MainActor
final class Everything {
  var parsed: [[String]] = []
  let loader: Loader = FileLoader()

  func run(_ urls: [URL], _ blobs: [Data], _ archive: any Archive) {
    _ = readAll(urls)
    _ = archive.names()
    _ = loader.load(urls[0])
    _ = firstBytes(DiskReader(), urls[0])
    _ = Folder(path: "/etc")["hosts"]
    _ = Folder.count("/etc")
    urls[0] <~ blobs[0]
    _ = urls.map(Page.init(url:)).map(\.text)
    parsed = blobs.compactMap(parse)
    _ = timed { NSDictionary(contentsOfFile: "/etc/hosts") }  // expect: main_actor_blocking
  }
}

/// A decode in another module's generic helper.
@MainActor func names(_ data: Data) -> [String] { decoded([String].self, from: data) ?? [] }

/// A closure that is made, kept in a local, and called.
@MainActor func local(_ url: URL) -> Int {
  let size = { (try? Data(contentsOf: url))?.count ?? 0 }  // expect: main_actor_blocking
  return size() + size()
}

/// Through a `Result`, and an autoclosure.
@MainActor func fallback(_ known: Data?, _ url: URL) -> Data? {
  let result = Result { try Data(contentsOf: url) }  // expect: main_actor_blocking
  return known ?? (try? Data(contentsOf: url)) ?? (try? result.get())  // expect: main_actor_blocking
}

/// Passed to a function that runs it before it returns, although its type would let it escape, and one that the main queue
/// runs.
func perform(_ work: @escaping @Sendable () -> Int) -> Int { work() + 1 }

func performTwice(_ work: @escaping @Sendable () -> Int) -> Int { perform(work) + perform(work) }

func whenLoaded(_ completion: @escaping @Sendable (Data) -> Void) {
  DispatchQueue.global().async {
    let data = Data(count: 1_000)
    DispatchQueue.main.async { completion(data) }
  }
}

@MainActor func passed(_ url: URL) -> Int {
  whenLoaded { data in
    _ = try? JSONDecoder().decode([String].self, from: data)  // expect: main_actor_blocking
  }
  return performTwice { (try? Data(contentsOf: url))?.count ?? 0 }  // expect: main_actor_blocking
}

/// The main actor's own run loop, and operations that are waited for.
@MainActor func repeats(_ operations: OperationQueue, _ url: URL) -> Timer {
  operations.addOperations([], waitUntilFinished: true)  // expect: main_actor_blocking
  return Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in
    _ = try? Data(contentsOf: url)  // expect: main_actor_blocking
  }
}

/// What an actor's members begin with is made by whoever makes the actor, unless nobody has asked for it yet.
actor Listing {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: "/etc")) ?? []  // expect: main_actor_blocking
  lazy var all = (try? FileManager.default.subpathsOfDirectory(atPath: "/etc")) ?? []
}

@MainActor func list() -> Listing { Listing() }
