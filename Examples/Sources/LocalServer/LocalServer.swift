/// A small HTTP server on the loopback interface, for tests and demonstrations without a network.
import Foundation
import Glibc

/// Accepts connections on 127.0.0.1 and answers one `GET` on each.
///
/// Every connection has a thread of its own, so a handler may block for as long as it likes: a slow server is a handler
/// that waits. Nothing here runs on an actor or on the cooperative pool.
public final class LocalServer: Sendable {
  public typealias Handler = @Sendable (Request) -> Reply

  /// `http://127.0.0.1:PORT`.
  public let url: URL
  public let port: UInt16

  private let connections: Connections

  /// Starts to listen; connections are accepted when this returns.
  ///
  /// - Parameters:
  ///   - port: 0 takes any free one.
  ///   - patience: how long a client may keep a thread waiting: for its request, for room to send, and for its leave once
  ///     it has the answer.
  ///   - handler: runs on the thread of its connection, any number at once.
  /// - Throws: ``LocalServerError`` when the port is taken.
  public init(
    port: UInt16 = 0, patience: Duration = .seconds(10), handler: @escaping Handler
  ) throws(LocalServerError) {
    let (listener, bound) = try Socket.listen(port: port)
    self.port = bound
    var address = URLComponents()
    address.scheme = "http"
    address.host = "127.0.0.1"
    address.port = Int(bound)
    guard let url = address.url else {
      Socket.close(listener)
      throw LocalServerError(port: port, operation: "name", code: EINVAL)
    }
    self.url = url
    let connections = Connections(listener: listener, patience: patience, handler: handler)
    self.connections = connections
    Thread.detachNewThread { connections.acceptUntilShutdown(on: listener) }
  }

  /// Stops to listen and cuts every connection. Does not wait for handlers that run; what they reply goes nowhere.
  public func stop() {
    connections.shutDown()
  }

  deinit {
    stop()
  }
}

/// Why the server does not listen.
public struct LocalServerError: Error, CustomStringConvertible {
  public let port: UInt16
  let operation: String
  let code: Int32

  public var description: String {
    let reason = String(cString: strerror(code))
    return "cannot \(operation) a socket on 127.0.0.1:\(port): \(reason). Use port 0, which takes any free one."
  }
}
