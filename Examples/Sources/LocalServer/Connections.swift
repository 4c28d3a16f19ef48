/// The sockets of a server and the threads that own them.
import Foundation
import Synchronization

/// Each socket is closed by its own thread alone, under the lock that also guards the shutdown from outside: so a
/// number that the kernel has given to another file is never shut down.
final class Connections: Sendable {
  private struct Open {
    var listener: Int32?
    var clients: Set<Int32> = []
  }

  /// More clients than this at once are turned away.
  private static let maximum = 256

  private let open: Mutex<Open>
  private let patience: Duration
  private let handler: LocalServer.Handler

  init(listener: Int32, patience: Duration, handler: @escaping LocalServer.Handler) {
    open = Mutex(Open(listener: listener))
    self.patience = patience
    self.handler = handler
  }

  /// The life of the listening thread.
  func acceptUntilShutdown(on listener: Int32) {
    while let client = Socket.accept(on: listener, patience: patience) {
      guard admit(client) else {
        Socket.close(client)
        continue
      }
      Thread.detachNewThread { self.serve(client) }
    }
    open.withLock { open in
      open.listener = nil
      Socket.close(listener)
    }
  }

  /// Wakes every thread that waits on a socket.
  func shutDown() {
    open.withLock { open in
      if let listener = open.listener { Socket.shutdown(listener) }
      for client in open.clients { Socket.shutdown(client) }
    }
  }

  private func admit(_ client: Int32) -> Bool {
    open.withLock { open in
      guard open.clients.count < Self.maximum else { return false }
      open.clients.insert(client)
      return true
    }
  }

  private func serve(_ client: Int32) {
    switch LocalServer.Request.read(from: client) {
    case .request(let request): handler(request).send(on: client)
    case .refused(let reply): reply.send(on: client)
    case .closed: break
    }
    open.withLock { open in
      open.clients.remove(client)
      Socket.close(client)
    }
  }
}
