import Catalogue
import Dispatch
import Foundation
import Search
import Synchronization
import Testing

@MainActor
@Suite("Opening a catalogue", .timeLimit(.minutes(30)))
struct LibraryModelTests {
  let folder = TemporaryFolder()

  @Test(
    "the phase is opening before open returns; both ways of decoding open the same catalogue",
    arguments: [LibraryModel.Decoding.concurrent, .onMainActor])
  func opens(decoding: LibraryModel.Decoding) async throws {
    let articles = [Article.titled("Actors", id: 1), .titled("Tasks", id: 2)]
    let path = try folder.write(Self.document(articles), to: "catalogue.json")
    let library = LibraryModel()
    library.open(CatalogueFile(path: path), decoding: decoding)
    guard case .opening(path) = library.phase else {
      Issue.record("the phase is \(library.phase)")
      return
    }
    await library.settle()
    guard case .open(let catalogue) = library.phase else {
      Issue.record("the phase is \(library.phase)")
      return
    }
    #expect(catalogue.articles == articles)
  }

  @Test(
    "main-actor jobs run while the catalogue is read",
    arguments: [LibraryModel.Decoding.concurrent, .onMainActor])
  func readsOffMain(decoding: LibraryModel.Decoding) async throws {
    // A pipe: whoever reads it waits until someone writes, and that one waits for a main-actor job.
    let path = folder.path(of: "pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let document = try Self.document([.titled("Actors")])
    let mainActorRan = DispatchSemaphore(value: 0)
    let wasFree = Mutex(false)
    Thread.detachNewThread {
      // A main actor that waits for the pipe itself must fail this test, not hang it.
      let isFree = mainActorRan.wait(timeout: .now() + 300) == .success
      wasFree.withLock { $0 = isFree }
      FileHandle(forWritingAtPath: path)?.write(document)
    }
    let library = LibraryModel()
    library.open(CatalogueFile(path: path), decoding: decoding)
    // Room for the reading to begin where it must not.
    for _ in 0..<100 { await Task.yield() }
    guard case .opening = library.phase else {
      Issue.record("opened before there was anything to read: \(library.phase)")
      return
    }
    mainActorRan.signal()
    await library.settle()
    #expect(wasFree.withLock { $0 })
    guard case .open(let catalogue) = library.phase else {
      Issue.record("the phase is \(library.phase)")
      return
    }
    #expect(catalogue.articles == [.titled("Actors")])
  }

  @Test(
    "a catalogue that fails to open says which and why",
    arguments: [LibraryModel.Decoding.concurrent, .onMainActor])
  func fails(decoding: LibraryModel.Decoding) async throws {
    let library = LibraryModel()
    let path = folder.path(of: "nowhere.json")
    library.open(CatalogueFile(path: path), decoding: decoding)
    await library.settle()
    guard case .failed(.missing(path)) = library.phase else {
      Issue.record("the phase is \(library.phase)")
      return
    }
  }

  @Test("the catalogue opened last is the one that is open")
  func supersedes() async throws {
    let first = try folder.write(Self.document([.titled("first")]), to: "first.json")
    let second = try folder.write(Self.document([.titled("second")]), to: "second.json")
    let library = LibraryModel()
    library.open(CatalogueFile(path: first))
    // Runs up to its wait for the first at once; only then can the first end.
    let settled = Task.immediate { [library] in await library.settle() }
    library.open(CatalogueFile(path: second))
    await settled.value
    guard case .open(let catalogue) = library.phase else {
      Issue.record("the phase is \(library.phase)")
      return
    }
    #expect(catalogue.articles == [.titled("second")])
  }

  private static func document(_ articles: [Article]) throws -> Data {
    let json = try JSONEncoder().encode(articles)
    return Data("{\"schema\": \"gallery.catalogue/1\", \"articles\": ".utf8) + json + Data("}".utf8)
  }
}

/// A folder that goes away with the test.
final class TemporaryFolder: Sendable {
  private let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func path(of name: String) -> String {
    url.appending(path: name).path
  }

  func write(_ data: Data, to name: String) throws -> String {
    try data.write(to: url.appending(path: name))
    return path(of: name)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
