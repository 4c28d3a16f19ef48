/// What the server answers, the ways in which a server misbehaves included.
import Foundation

extension LocalServer {
  public enum Reply: Sendable {
    case json(Data, status: Int = 200)
    /// Promises `length` bytes, sends `body` and closes.
    case truncated(Data, length: Int)
    /// Closes without a word.
    case hangUp
  }
}

extension LocalServer.Reply {
  /// A refusal that a program and a person can read.
  public static func problem(_ status: Int, _ message: String) -> Self {
    let body = try? JSONSerialization.data(withJSONObject: ["error": message])
    return .json(body ?? Data("{}".utf8), status: status)
  }

  func send(on connection: Int32) {
    switch self {
    case .json(let body, let status): Self.send(body, length: body.count, status: status, on: connection)
    case .truncated(let body, let length): Self.send(body, length: length, status: 200, on: connection)
    case .hangUp:
      Socket.shutdown(connection)
      return
    }
    Socket.finish(connection)
  }

  private static func send(_ body: Data, length: Int, status: Int, on connection: Int32) {
    let head = """
      HTTP/1.1 \(status) \(phrase(status))\r
      Content-Type: application/json\r
      Content-Length: \(length)\r
      Connection: close\r
      \r

      """
    Socket.send(Data(head.utf8) + body, on: connection)
  }

  private static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 400: "Bad Request"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    default: "Status \(status)"
    }
  }
}
