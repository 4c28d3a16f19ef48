/// What a client asks.
import Foundation

extension LocalServer {
  public struct Request: Sendable, Equatable {
    /// Without the query, percent-decoded: `/search`.
    public let path: String
    /// The items of the query, percent-decoded; the last one counts when a name comes twice.
    public let query: [String: String]
  }
}

extension LocalServer.Request {
  enum Reading {
    case request(LocalServer.Request)
    case refused(LocalServer.Reply)
    /// The client left, or said nothing for too long.
    case closed
  }

  /// A request head longer than this is refused.
  static let maximumLength = 64 * 1024

  static func read(from connection: Int32) -> Reading {
    var head = Data()
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
    defer { chunk.deallocate() }
    let end = Data("\r\n\r\n".utf8)
    while true {
      let count = Socket.read(from: connection, into: chunk)
      guard count > 0 else { return .closed }
      // The end may straddle two chunks.
      let searchStart = max(0, head.count - end.count)
      head.append(contentsOf: chunk[..<count])
      if let range = head.range(of: end, in: searchStart..<head.count) {
        return parse(head[..<range.lowerBound])
      }
      guard head.count <= maximumLength else { return .refused(.problem(431, "The request is too long")) }
    }
  }

  /// Reads the request line; no header matters to a server that closes after each answer.
  static func parse(_ head: Data) -> Reading {
    let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].hasPrefix("HTTP/1."), parts[1].hasPrefix("/") else {
      return .refused(.problem(400, "This is no HTTP/1 request"))
    }
    guard parts[0] == "GET" else { return .refused(.problem(405, "Only GET is served")) }
    // The target is a path from the root, which is ambiguous as an address when it begins with two slashes.
    guard let components = URLComponents(string: "http://127.0.0.1" + parts[1]) else {
      return .refused(.problem(400, "The address is malformed"))
    }
    var query: [String: String] = [:]
    for item in components.queryItems ?? [] { query[item.name] = item.value ?? "" }
    return .request(LocalServer.Request(path: components.path, query: query))
  }
}
