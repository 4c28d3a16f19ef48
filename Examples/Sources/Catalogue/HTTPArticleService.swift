/// Searches a catalogue on a server: `GET /search?q=QUERY` answers with the JSON of `SearchResults`.
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

public struct HTTPArticleService: ArticleService {
  public let server: URL
  /// How long the server may be silent.
  public let timeout: Duration
  private let session: URLSession

  /// The address of a server as a person writes it; nil when it is none of HTTP.
  public static func address(_ text: String) -> URL? {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      url.host?.isEmpty == false
    else { return nil }
    return url
  }

  public init(server: URL, timeout: Duration = .seconds(10)) {
    self.server = server
    self.timeout = timeout
    let configuration = URLSessionConfiguration.ephemeral
    // Every keystroke asks anew.
    configuration.urlCache = nil
    session = URLSession(configuration: configuration)
  }

  /// Sends the request and decodes the answer, both off the caller's actor.
  ///
  /// - Throws: `ArticleServiceError`, or `URLError.cancelled` when the caller's task is cancelled, which is how
  ///   `URLSession` says so.
  @concurrent
  public func search(_ query: String) async throws -> SearchResults {
    let (data, response) = try await answer(to: query)
    if let response = response as? HTTPURLResponse, response.statusCode != 200 {
      throw ArticleServiceError.refused(server: name, status: response.statusCode)
    }
    do {
      return try await ArticleDecoder.decode(SearchResults.self, from: data)
    } catch {
      throw ArticleServiceError.malformed(server: name, reason: ArticleDecoder.reason(of: error, in: data))
    }
  }

  private func answer(to query: String) async throws -> (Data, URLResponse) {
    let address = server.appending(path: "search").appending(queryItems: [URLQueryItem(name: "q", value: query)])
    var request = URLRequest(url: address, cachePolicy: .reloadIgnoringLocalCacheData)
    request.timeoutInterval = timeout / .seconds(1)
    do {
      return try await Transfer.data(for: request, in: session)
    } catch let error as URLError where error.code == .timedOut {
      throw ArticleServiceError.timedOut(server: name)
    } catch let error as URLError where error.code != .cancelled {
      throw ArticleServiceError.unreachable(server: name, reason: error.localizedDescription)
    }
  }

  /// The server as a person would name it.
  private var name: String {
    server.absoluteString
  }
}
