/// What a search asks, wherever the articles are.

/// Belongs to no actor and is `Sendable`: any isolation domain may search, and the work never runs on the caller's
/// actor.
public protocol ArticleService: Sendable {
  /// The articles that match `query`.
  ///
  /// - Throws: when the caller's task is cancelled, `CancellationError` or an error of the service's own such as
  ///   `URLError.cancelled`. A caller that cancels must ignore both.
  func search(_ query: String) async throws -> SearchResults
}

/// Why a service has no answer.
public enum ArticleServiceError: Error, Equatable, CustomStringConvertible {
  /// No connection, or one that broke.
  case unreachable(server: String, reason: String)
  /// The server did not answer in time.
  case timedOut(server: String)
  /// The server answered with a status other than 200.
  case refused(server: String, status: Int)
  /// The server's answer is no ``SearchResults``.
  case malformed(server: String, reason: String)

  public var description: String {
    switch self {
    case .unreachable(let server, let reason): "\(server) cannot be reached: \(reason). Is the server running?"
    case .timedOut(let server): "\(server) did not answer in time. Try again."
    case .refused(let server, let status): "\(server) answered with status \(status). Try again later."
    case .malformed(let server, let reason): "\(server) did not answer with articles: \(reason)."
    }
  }
}
