import Catalogue
import Foundation
import Glibc
import LocalServer
import Search
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The model, the service, URLSession and a server on a real socket.
@MainActor
@Suite("Searching over HTTP", .timeLimit(.minutes(30)))
struct HTTPSearchTests {
  @Test("a cancelled request fails with URLError.cancelled and never shows as a failure")
  func supersession() async throws {
    let gate = Gate()
    let server = try LocalServer(patience: .hour) { request in
      if request.query["q"] == "a" { gate.waitUntilOpen() }
      return Self.found(request)
    }
    defer { server.stop() }
    let service = RecordingService(HTTPArticleService(server: server.url, timeout: .hour))
    let model = SearchModel(service: service)
    let recorder = PhaseRecorder(model)

    model.queryChanged("a")
    await gate.someoneWaits()
    model.queryChanged("ab")
    await model.settle()
    gate.open()

    #expect(
      recorder.phases == [.idle, .loading(query: "a"), .loading(query: "ab"), .loaded(.named("ab"))])
    // What the model did not show is indeed what a naive one would have shown.
    #expect((service.error(of: "a") as? URLError)?.code == .cancelled)
  }

  @Test("a clearing while the request is under way shows no failure either")
  func clearing() async throws {
    let gate = Gate()
    let server = try LocalServer(patience: .hour) { request in
      gate.waitUntilOpen()
      return Self.found(request)
    }
    defer { server.stop() }
    let service = RecordingService(HTTPArticleService(server: server.url, timeout: .hour))
    let model = SearchModel(service: service)
    let recorder = PhaseRecorder(model)
    model.queryChanged("a")
    await gate.someoneWaits()
    model.queryChanged("")
    await model.settle()
    gate.open()
    #expect(recorder.phases == [.idle, .loading(query: "a"), .idle])
    #expect((service.error(of: "a") as? URLError)?.code == .cancelled)
  }

  @Test("thirty keystrokes in one job show the last one's results and no failure")
  func typing() async throws {
    let server = try LocalServer(patience: .hour, handler: Self.found)
    defer { server.stop() }
    let model = SearchModel(service: HTTPArticleService(server: server.url, timeout: .hour))
    let recorder = PhaseRecorder(model)
    let query = "the main actor and UI-facing st"
    for end in query.indices { model.queryChanged(String(query[...end])) }
    await model.settle()
    #expect(model.phase == .loaded(.named(query)))
    #expect(
      recorder.phases.filter { if case .loading = $0 { false } else { true } } == [.idle, .loaded(.named(query))])
  }

  @Test("typing while answers come in shows nothing stale and no failure", arguments: 1...5)
  func typingAtRandom(seed: Int) async throws {
    let gates = (0..<4).map { _ in Gate() }
    let server = try LocalServer(patience: .hour) { request in
      gates[(request.query["q"] ?? "").count % gates.count].waitUntilOpen()
      return Self.found(request)
    }
    defer { server.stop() }
    let model = SearchModel(service: HTTPArticleService(server: server.url, timeout: .hour))
    let recorder = PhaseRecorder(model)
    var random = Dice(seed: UInt64(seed))
    let query = "concurrency"
    for (position, end) in query.indices.enumerated() {
      model.queryChanged(String(query[...end]))
      if random.roll(3) == 0 { await gates[(position + 1) % gates.count].someoneWaits() }
      if random.roll(3) == 0 { gates[random.roll(gates.count)].open() }
    }
    for gate in gates { gate.open() }
    await model.settle()
    #expect(model.phase == .loaded(.named(query)))
    for (before, phase) in zip(recorder.phases, recorder.phases.dropFirst()) {
      if case .failed(let message) = phase { Issue.record("\(message) flashed") }
      if case .loaded(let results) = phase { #expect(before == .loading(query: results.query)) }
    }
  }

  @Test("cancelled requests close their connections: those that hang keep none that comes later from its answer")
  func abandonedRequests() async throws {
    let gate = Gate()
    let server = try LocalServer(patience: .hour) { request in
      if request.query["q"]?.hasPrefix("hang") == true { gate.waitUntilOpen() }
      return Self.found(request)
    }
    defer {
      gate.open()
      server.stop()
    }
    let service = HTTPArticleService(server: server.url, timeout: .hour)
    // A session holds at most six connections to one server.
    for number in 0..<20 {
      let search = Task { try await service.search("hang \(number)") }
      await gate.someoneWaits()
      search.cancel()
      await #expect { try await search.value } throws: { ($0 as? URLError)?.code == .cancelled }
    }
    #expect(try await service.search("next") == .named("next"))
  }

  @Test("a request that is cancelled before it begins fails as cancelled, too")
  func cancelledBefore() async throws {
    let server = try LocalServer(patience: .hour, handler: Self.found)
    defer { server.stop() }
    let service = HTTPArticleService(server: server.url, timeout: .hour)
    let search = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await service.search("a")
    }
    await #expect { try await search.value } throws: { ($0 as? URLError)?.code == .cancelled }
    #expect(try await service.search("next") == .named("next"))
  }

  @Test("a cancellation that meets the answer ends as one of the two, once")
  func cancellationMeetsAnswer() async throws {
    let server = try LocalServer(patience: .hour, handler: Self.found)
    defer { server.stop() }
    let service = HTTPArticleService(server: server.url, timeout: .hour)
    var random = Dice(seed: 1)
    for _ in 0..<300 {
      let search = Task { try await service.search("a") }
      // From before the request to after the answer.
      let canceller = Task.detached { [pause = random.roll(1500)] in
        try await Task.sleep(for: .microseconds(pause))
        search.cancel()
      }
      do {
        #expect(try await search.value == .named("a"))
      } catch {
        #expect((error as? URLError)?.code == .cancelled)
      }
      try await canceller.value
    }
  }

  @Test("a query arrives as it was typed", arguments: ["C++ & C#", "Łódź?", "100 %", "a=b;c", "東京", "“naïve”", "a/b"])
  func queries(query: String) async throws {
    let server = try LocalServer(patience: .hour, handler: Self.found)
    defer { server.stop() }
    let model = SearchModel(service: HTTPArticleService(server: server.url, timeout: .hour))
    model.queryChanged(query)
    await model.settle()
    #expect(model.phase == .loaded(.named(query)))
  }

  @Test(
    "what a bad server does shows as a failure that names the server, and the next try succeeds",
    arguments: [
      (.problem(500, "out of order"), "answered with status 500"),
      (.json(Data("<html>".utf8)), "did not answer with articles"),
      (.json(Data("{\"query\": \"a\"}".utf8)), "\"total\" is missing"),
      (.json(Data()), "did not answer with articles"),
      (.truncated(Data("{\"query\"".utf8), length: 5000), "cannot be reached"),
      (.hangUp, "cannot be reached"),
    ] as [(LocalServer.Reply, String)])
  func badServer(reply: LocalServer.Reply, problem: String) async throws {
    let isBad = Mutex(true)
    let server = try LocalServer(patience: .hour) { request in
      isBad.withLock { $0 } ? reply : Self.found(request)
    }
    defer { server.stop() }
    let model = SearchModel(service: HTTPArticleService(server: server.url, timeout: .hour))
    model.queryChanged("a")
    await model.settle()
    let message = try #require(model.errorMessage)
    #expect(message.contains(problem))
    #expect(message.contains(server.url.absoluteString))

    isBad.withLock { $0 = false }
    model.submitSearch()
    #expect(model.isLoading)
    await model.settle()
    #expect(model.phase == .loaded(.named("a")))
  }

  @Test("a server that is silent for longer than the timeout shows as a failure")
  func slowServer() async throws {
    let gate = Gate()
    let server = try LocalServer(patience: .hour) { request in
      gate.waitUntilOpen()
      return Self.found(request)
    }
    defer {
      gate.open()
      server.stop()
    }
    let model = SearchModel(service: HTTPArticleService(server: server.url, timeout: .milliseconds(100)))
    model.queryChanged("a")
    await model.settle()
    #expect(model.errorMessage == "Search failed: \(server.url.absoluteString) did not answer in time. Try again.")
  }

  @Test("a server that is gone shows as a failure")
  func noServer() async throws {
    let port = try UnheardPort()
    let model = SearchModel(service: HTTPArticleService(server: port.url, timeout: .hour))
    model.queryChanged("a")
    await model.settle()
    #expect(model.errorMessage?.contains("\(port.url.absoluteString) cannot be reached") == true)
  }

  nonisolated private static func found(_ request: LocalServer.Request) -> LocalServer.Reply {
    guard let body = try? JSONEncoder().encode(SearchResults.named(request.query["q"] ?? "")) else { return .hangUp }
    return .json(body)
  }
}

extension Duration {
  /// Longer than a machine stands still: where no patience is what is tested, none ends.
  fileprivate static let hour = Duration.seconds(3600)
}

/// A port on which nobody listens, and nobody else can while this exists.
private final class UnheardPort {
  let url: URL
  private let socket: Int32

  init() throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = socket
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    url = try #require(URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"))
    try #require(isBound)
  }

  deinit { close(socket) }
}

/// Remembers how each search ended.
final class RecordingService: ArticleService {
  private let service: any ArticleService
  private let errors = Mutex<[String: any Error]>([:])

  init(_ service: any ArticleService) {
    self.service = service
  }

  func search(_ query: String) async throws -> SearchResults {
    do { return try await service.search(query) } catch {
      errors.withLock { $0[query] = error }
      throw error
    }
  }

  func error(of query: String) -> (any Error)? {
    errors.withLock { $0[query] }
  }
}

/// Holds the threads of a server until a test opens it.
final class Gate: Sendable {
  private let condition = NSCondition()
  private let isOpen = Mutex(false)
  private let waits = AsyncStream.makeStream(of: Void.self)

  func waitUntilOpen() {
    condition.lock()
    defer { condition.unlock() }
    waits.continuation.yield()
    while !isOpen.withLock({ $0 }) { condition.wait() }
  }

  func open() {
    condition.withLock {
      isOpen.withLock { $0 = true }
      condition.broadcast()
    }
  }

  /// Returns when a thread has come to the gate that no call before has told of.
  func someoneWaits() async {
    for await _ in waits.stream { return }
  }
}
