/// The server's side of a search: `GET /search?q=QUERY`.
import Catalogue
import Foundation
import LocalServer

struct SearchEndpoint: Sendable {
  let catalogue: Catalogue
  /// What a network and a busier server would add.
  let latency: Duration
  /// Receives the length of each search, without the latency.
  let times: QueryTimes

  /// Runs on the thread of the connection, which may wait.
  func reply(to request: LocalServer.Request) -> LocalServer.Reply {
    guard request.path == "/search" else { return .problem(404, "There is nothing at \(request.path)") }
    guard let query = request.query["q"] else { return .problem(400, "The query q is missing") }
    if latency > .zero { Thread.sleep(forTimeInterval: latency / .seconds(1)) }
    do {
      return .json(try JSONEncoder().encode(times.measure { catalogue.search(query) }))
    } catch {
      return .problem(500, "The results cannot be encoded: \(error)")
    }
  }
}
