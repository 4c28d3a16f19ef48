import Testing

@testable import GalleryApp

@MainActor
@Suite("The command line of the window")
struct AppOptionsTests {
  @Test(
    "an option without a value, an empty one, and one that cannot be are refused, with what they must be",
    arguments: [
      (["--server", ""], "--server needs a value."), (["--server"], "--server needs a value."),
      (
        ["--server", "localhost:8080"], "--server is an address such as http://127.0.0.1:8080, not \"localhost:8080\"."
      ),
      (["--server", "http://"], "--server is an address such as"),
      (["--server", "ftp://a/b"], "--server is an address"),
      (["--wallet", ""], "--wallet needs a value."), (["--catalogue", ""], "--catalogue needs a value."),
      (["--trace", ""], "--trace needs a value."), (["--page", ""], "--page needs a value."),
      (["--bogus", "1"], "there is no option --bogus."),
    ])
  func refused(words: [String], message: String) {
    let error = #expect(throws: AppUsageError.self) { try AppOptions.parsed(words) }
    #expect(error?.description.hasPrefix(message) == true, "\(String(describing: error))")
    #expect(error?.description.hasSuffix(" See gallery-window --help.") == true)
  }

  @Test("servers and queries are taken as they are written; a query may be empty")
  func taken() throws {
    for words in [["--server", "http://127.0.0.1:8080"], ["--server", "HTTPS://example.org/x"], ["--query", ""]] {
      guard case .window = try AppOptions.parsed(words) else {
        Issue.record("\(words)")
        return
      }
    }
  }
}
