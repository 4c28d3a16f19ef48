/// Services that the window searches, the bad ones included.
import Foundation
import LocalServer
import Synchronization
import Testing

extension OnScreen {
  @Suite("with a service")
  struct ServiceTests {
    @Test("the list of services is a dropdown that the keys open and choose from")
    func chosen() async throws {
      let window = try Window()
      try await window.wait("library")
      try await window.wait("service") { $0["name"] == "In memory" }
      try await window.click("service")
      try await window.screen.hand("key", "Down", "Return")
      try await window.wait("service") { $0["name"] == "Slow and unreliable" }
      // Whatever it answers, the page shows one of the two and the application goes on.
      try await window.click("search field")
      try await window.screen.hand("type", "actors")
      let outcome = try await window.wait("search") { ["loaded", "failed"].contains($0["phase"]) }
      if outcome["phase"] == "failed" {
        #expect(outcome["message"]?.contains("did not answer. Press Return to try again") == true)
      }
    }

    @Test("a service that is down, refuses, talks nonsense or hangs up shows as that, and the next try succeeds")
    func bad() async throws {
      let reply = Mutex(LocalServer.Reply.hangUp)
      let server = try LocalServer { _ in reply.withLock { $0 } }
      defer { server.stop() }
      let window = try Window("--server", server.url.absoluteString)
      try await window.wait("service") { $0["name"] == "Server" }
      try await window.click("search field")
      try await window.screen.hand("type", "a")
      let cases: [(LocalServer.Reply, String)] = [
        (.hangUp, "cannot be reached"), (.problem(500, "out of order"), "answered with status 500"),
        (.json(Data("<html>".utf8)), "did not answer with articles"),
        (.truncated(Data("{\"query\"".utf8), length: 5000), "cannot be reached"),
      ]
      for (bad, problem) in cases {
        reply.withLock { $0 = bad }
        try await window.screen.hand("key", "Return")
        let line = try await window.wait("search") {
          $0["phase"] == "failed" && $0["message"]?.contains(problem) == true
        }
        #expect(line["message"]?.contains(server.url.absoluteString) == true)
      }
      reply.withLock { $0 = .json(Data(#"{"query": "a", "total": 0, "articles": []}"#.utf8)) }
      try await window.click("try again to search")
      try await window.wait("search") { $0["phase"] == "loaded" && $0["total"] == "0" }
      server.stop()
      try await window.screen.hand("key", "Return")
      try await window.wait("search") { $0["phase"] == "failed" }
    }

    @Test("a service that is slow keeps nothing else waiting: the page says that it searches, and others are used")
    func slow() async throws {
      let gate = DispatchSemaphore(value: 0)
      let server = try LocalServer { _ in
        gate.wait()
        return .json(Data(#"{"query": "a", "total": 0, "articles": []}"#.utf8))
      }
      defer {
        for _ in 0..<10 { gate.signal() }
        server.stop()
      }
      let window = try Window("--server", server.url.absoluteString)
      try await window.wait("library")
      try await window.click("search field")
      try await window.screen.hand("type", "a")
      try await window.wait("search") { $0["phase"] == "loading" }
      try await window.screen.hand("key", "alt+3")
      try await window.click("play or pause")
      try await window.wait("saved") { Int($0["position"] ?? "") ?? 0 >= 1 }
      try await window.wait("search") { $0["phase"] == "loading" }
      gate.signal()
      try await window.wait("search") { $0["phase"] == "loaded" }
    }
  }
}
