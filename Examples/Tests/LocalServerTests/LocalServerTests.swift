import Foundation
import Glibc
import Synchronization
import Testing

@testable import LocalServer

@Suite("The local server", .timeLimit(.minutes(30)))
struct LocalServerTests {
  /// However long this machine stands still, no client is cut off for having been late.
  private let patience: Duration = .seconds(3600)

  @Test("answers what the handler replies, with status, type and length")
  func answers() throws {
    let server = try LocalServer(patience: patience) { request in
      .json(Data("{\"path\":\"\(request.path)\"}".utf8), status: request.query["status"].flatMap(Int.init) ?? 200)
    }
    defer { server.stop() }
    let answer = try Client.exchange("GET /x?status=404 HTTP/1.1\r\nHost: a\r\n\r\n", with: server)
    #expect(
      answer
        == "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 13\r\n"
        + "Connection: close\r\n\r\n{\"path\":\"/x\"}")
  }

  @Test("decodes the path and the query")
  func decodes() throws {
    let head = Data("GET /a%20b?q=caf%C3%A9%20%26%20co&empty&last=1&last=2 HTTP/1.0\r\nX: y".utf8)
    guard case .request(let request) = LocalServer.Request.parse(head) else {
      Issue.record("no request")
      return
    }
    #expect(request.path == "/a b")
    #expect(request.query == ["q": "café & co", "empty": "", "last": "2"])
  }

  @Test(
    "refuses what is no GET",
    arguments: [
      ("POST / HTTP/1.1\r\n\r\n", 405), ("nonsense\r\n\r\n", 400), ("GET / \r\n\r\n", 400), ("\r\n\r\n", 400),
      ("GET http://elsewhere/ HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 80_000), 431),
    ])
  func refuses(request: String, status: Int) throws {
    let server = try LocalServer(patience: patience) { _ in
      Issue.record("the handler was asked")
      return .hangUp
    }
    defer { server.stop() }
    #expect(try Client.exchange(request, with: server).hasPrefix("HTTP/1.1 \(status) "))
  }

  @Test("reads a request that comes byte by byte")
  func dribble() throws {
    let server = try LocalServer(patience: patience) { .json(Data($0.path.utf8)) }
    defer { server.stop() }
    let client = try Client(to: server)
    for byte in "GET /slow HTTP/1.1\r\n\r\n".utf8 { client.send([byte]) }
    #expect(client.readToEnd().hasSuffix("/slow"))
  }

  @Test("closes before the length it promised, or without a word, when told to")
  func misbehaves() throws {
    let server = try LocalServer(patience: patience) {
      $0.path == "/cut" ? .truncated(Data("half".utf8), length: 8) : .hangUp
    }
    defer { server.stop() }
    let cut = try Client.exchange("GET /cut HTTP/1.1\r\n\r\n", with: server)
    #expect(cut.contains("Content-Length: 8\r\n") && cut.hasSuffix("\r\n\r\nhalf"))
    #expect(try Client.exchange("GET /none HTTP/1.1\r\n\r\n", with: server) == "")
  }

  @Test("serves clients while others wait")
  func concurrency() throws {
    let open = DispatchSemaphore(value: 0)
    let server = try LocalServer(patience: patience) { request in
      if request.path == "/wait" { open.wait() }
      return .json(Data(request.path.utf8))
    }
    defer { server.stop() }
    let waiting = try (0..<20).map { _ in try Client(to: server) }
    for client in waiting { client.send(Array("GET /wait HTTP/1.1\r\n\r\n".utf8)) }
    for number in 0..<50 {
      #expect(try Client.exchange("GET /\(number) HTTP/1.1\r\n\r\n", with: server).hasSuffix("/\(number)"))
    }
    for _ in waiting { open.signal() }
    for client in waiting { #expect(client.readToEnd().hasSuffix("/wait")) }
  }

  @Test("cuts off a client that is silent for longer than its patience")
  func silentClient() throws {
    let server = try LocalServer(patience: .milliseconds(1)) { _ in .json(Data("too late".utf8)) }
    defer { server.stop() }
    #expect(try Client(to: server).readToEnd() == "")
  }

  @Test("outlives clients that leave before the answer")
  func impatientClients() throws {
    let open = DispatchSemaphore(value: 0)
    let server = try LocalServer(patience: patience) { request in
      if request.path == "/big" {
        open.wait()
        // More than the buffers of a socket hold.
        return .json(Data(count: 8_000_000))
      }
      return .json(Data("alive".utf8))
    }
    defer { server.stop() }
    for _ in 0..<5 {
      let client = try Client(to: server)
      client.send(Array("GET /big HTTP/1.1\r\n\r\n".utf8))
    }
    for _ in 0..<5 { open.signal() }
    #expect(try Client.exchange("GET / HTTP/1.1\r\n\r\n", with: server).hasSuffix("alive"))
  }

  @Test("stopping cuts those who wait and turns away those who come")
  func stops() throws {
    let arrived = DispatchSemaphore(value: 0)
    let open = DispatchSemaphore(value: 0)
    let server = try LocalServer(patience: patience) { _ in
      arrived.signal()
      open.wait()
      return .json(Data("too late".utf8))
    }
    let client = try Client(to: server)
    client.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
    arrived.wait()
    server.stop()
    #expect(client.readToEnd() == "")
    open.signal()
    // The port is free now, and a server of another test may have taken it: what counts is that this one is not asked.
    _ = try? Client.exchange("GET / HTTP/1.1\r\n\r\n", with: server)
    #expect(arrived.wait(timeout: .now()) == .timedOut)
    server.stop()
  }

  @Test("a port that is taken is an error that names it")
  func portTaken() throws {
    let server = try LocalServer(patience: patience) { _ in .hangUp }
    defer { server.stop() }
    let error = #expect(throws: LocalServerError.self) {
      _ = try LocalServer(port: server.port, patience: patience) { _ in .hangUp }
    }
    #expect(error?.description.contains("127.0.0.1:\(server.port)") == true)
    #expect(error?.port == server.port)
  }
}

/// A client that may send anything.
private final class Client {
  struct Refused: Error {}

  private let socket: Int32

  init(to server: LocalServer) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let socket = socket
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Refused() }
  }

  deinit {
    close(socket)
  }

  static func exchange(_ request: String, with server: LocalServer) throws -> String {
    let client = try Client(to: server)
    client.send(Array(request.utf8))
    return client.readToEnd()
  }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func readToEnd() -> String {
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &chunk, chunk.count, 0)
      guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
      answer += chunk[..<count]
    }
  }
}
