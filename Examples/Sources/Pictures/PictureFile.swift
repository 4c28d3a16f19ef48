/// A picture on disk.
import Foundation

public struct PictureFile: Equatable, Sendable {
  public let path: String

  public init(path: String) {
    self.path = path
  }

  /// What messages call it.
  public var name: String { URL(fileURLWithPath: path).lastPathComponent }

  /// Reads and decodes off the caller's actor.
  @concurrent
  public func picture(by codec: any PictureCodec) async throws(PictureError) -> Picture {
    try codec.picture(from: try await bytes(), name: name)
  }

  /// Reads the bytes off the caller's actor, on a thread of its own: a slow disk or a pipe may keep a thread waiting, and
  /// one of the pool's would keep other tasks waiting with it.
  @concurrent
  public func bytes() async throws(PictureError) -> Data {
    let outcome = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: Result { () throws(PictureError) in try bytesReadHere() })
      }
    }
    return try outcome.get()
  }

  private func bytesReadHere() throws(PictureError) -> Data {
    var bytes = Data()
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      while bytes.count <= PictureError.mostBytes, let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
        bytes.append(piece)
      }
    } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      let isSystems = cause?.domain == NSPOSIXErrorDomain
      let reason = isSystems ? String(cString: strerror(Int32(cause?.code ?? 0))) : error.localizedDescription
      throw .unreadable(name: name, reason: reason)
    }
    guard !bytes.isEmpty else { throw .empty(name: name) }
    guard bytes.count <= PictureError.mostBytes else { throw .tooLong(name: name) }
    return bytes
  }
}
