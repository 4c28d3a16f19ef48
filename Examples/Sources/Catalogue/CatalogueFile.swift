/// A catalogue on disk: `{"schema": "gallery.catalogue/1", "articles": [...]}`.
import Foundation

public struct CatalogueFile: Sendable {
  /// The script that makes one, named wherever a catalogue is missing or broken.
  public static let maker = "scripts/make-catalogue"

  public let path: String

  public init(path: String) {
    self.path = path
  }

  /// Reads, decodes and indexes the catalogue off the caller's actor.
  @concurrent
  public func catalogue() async throws(CatalogueError) -> Catalogue {
    Catalogue(try articlesDecodedHere(from: try await contents()))
  }

  /// Reads the bytes off the caller's actor, from a file or to the end of a pipe.
  @concurrent
  public func contents() async throws(CatalogueError) -> Data {
    // A pipe or a slow disk keeps its reader waiting. A thread of its own may wait; one of the pool's, as many as there
    // are cores, would keep every other task waiting with it.
    let outcome = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: Result { () throws(CatalogueError) in try contentsReadHere() })
      }
    }
    return try outcome.get()
  }

  private func contentsReadHere() throws(CatalogueError) -> Data {
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      return try file.readToEnd() ?? Data()
    } catch CocoaError.fileReadNoSuchFile {
      throw .missing(path: path)
    } catch {
      throw .unreadable(path: path, reason: Self.reason(of: error))
    }
  }

  /// Decodes on the executor of the caller: half a second for ten megabytes, which an actor with a frame budget does
  /// not have.
  public func articlesDecodedHere(from data: Data) throws(CatalogueError) -> [Article] {
    let payload: CataloguePayload
    do { payload = try ArticleDecoder.decodeHere(CataloguePayload.self, from: data) } catch {
      throw .corrupt(path: path, reason: ArticleDecoder.reason(of: error, in: data))
    }
    return try articles(of: payload)
  }

  /// The system's own words where there are any: Foundation has but a number for most of them.
  private static func reason(of error: any Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let cause, cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(cause.code)))
  }

  private func articles(of payload: CataloguePayload) throws(CatalogueError) -> [Article] {
    guard payload.schema == CataloguePayload.schema else {
      throw .corrupt(path: path, reason: "its schema is \"\(payload.schema)\", not \"\(CataloguePayload.schema)\"")
    }
    return payload.articles
  }
}

/// The JSON document.
public struct CataloguePayload: Codable, Sendable {
  public static let schema = "gallery.catalogue/1"

  public let schema: String
  public let articles: [Article]
}

/// Why there is no catalogue.
public enum CatalogueError: Error, Equatable, CustomStringConvertible {
  case missing(path: String)
  case unreadable(path: String, reason: String)
  case corrupt(path: String, reason: String)

  public var description: String {
    switch self {
    case .missing(let path):
      "there is no catalogue at \(path). Make it with \(CatalogueFile.maker), or name another with --catalogue."
    case .unreadable(let path, let reason):
      "the catalogue \(path) cannot be read: \(reason). Make it with \(CatalogueFile.maker), or name another with"
        + " --catalogue."
    case .corrupt(let path, let reason):
      "\(path) is not a catalogue: \(reason). Make it anew with \(CatalogueFile.maker)."
    }
  }
}
