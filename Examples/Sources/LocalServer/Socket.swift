/// The few calls of the socket interface that the server needs, on loopback addresses only.
import Foundation
import Glibc

enum Socket {
  /// - Returns: the listening socket and the port it got.
  static func listen(port: UInt16) throws(LocalServerError) -> (socket: Int32, port: UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw LocalServerError(port: port, operation: "open", code: errno) }
    func failure(_ operation: String) -> LocalServerError {
      let code = errno
      close(listener)
      return LocalServerError(port: port, operation: operation, code: code)
    }

    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    guard withAddress(&address, { bind(listener, $0, $1) }) == 0 else { throw failure("bind") }
    guard Glibc.listen(listener, 64) == 0 else { throw failure("listen on") }

    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withAddress(&address, { address, _ in getsockname(listener, address, &length) }) == 0 else {
      throw failure("name")
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  /// Waits for a client.
  ///
  /// - Parameter patience: how long the client may then keep a thread waiting.
  /// - Returns: `nil` when the listener was shut down.
  static func accept(on listener: Int32, patience: Duration) -> Int32? {
    while true {
      let connection = Glibc.accept(listener, nil, nil)
      if connection >= 0 {
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        setPatience(patience, of: connection)
        return connection
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      // Out of descriptors or memory: a client that leaves gives some back.
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(10_000)
      default: return nil
      }
    }
  }

  /// - Returns: how many bytes were read; 0 when the client closed, failed or was silent for too long.
  static func read(from connection: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = recv(connection, buffer.baseAddress, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      return max(0, count)
    }
  }

  /// Sends all of it, or what the client still takes: one that has left is no error.
  static func send(_ data: Data, on connection: Int32) {
    data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      var rest = bytes[bytes.startIndex...]
      while !rest.isEmpty {
        let count = Glibc.send(
          connection, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Ends the answer and waits for the client to end the connection, so that it reads the answer first: closing a socket
  /// that holds unread bytes resets the connection.
  static func finish(_ connection: Int32) {
    guard Glibc.shutdown(connection, Int32(SHUT_WR)) == 0 else { return }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
    defer { chunk.deallocate() }
    // A client that still sends a megabyte is not going to listen.
    for _ in 0..<256 where read(from: connection, into: chunk) == 0 { return }
  }

  /// Wakes whoever waits on the socket.
  static func shutdown(_ socket: Int32) {
    _ = Glibc.shutdown(socket, Int32(SHUT_RDWR))
  }

  static func close(_ socket: Int32) {
    _ = Glibc.close(socket)
  }

  private static func setPatience(_ patience: Duration, of connection: Int32) {
    let (seconds, attoseconds) = patience.components
    // Of less than a microsecond nothing would be left, and nothing means for ever.
    var patience = timeval(
      tv_sec: Int(seconds), tv_usec: max(seconds == 0 ? 1 : 0, Int(attoseconds / 1_000_000_000_000)))
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
  }

  private static func withAddress<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}
