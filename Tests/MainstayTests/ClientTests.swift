import Foundation
import Testing

@Suite("A package that depends on the library by path", .serialized)
struct ClientTests {
  @Test("builds in Swift 6 mode without a warning, with and without the main actor as default isolation")
  func clients() throws {
    let package = SwiftCompiler.package.appendingPathComponent("Tests/Fixtures/Clients")
    // Kept between runs, so that only the first is slow. The package turns every warning of its own into an error.
    let scratch = SwiftCompiler.package.appendingPathComponent(".build/clients")
    let outcome = try SwiftCompiler.run([
      "swift", "build", "--package-path", package.path, "--scratch-path", scratch.path, "--jobs", "1",
    ])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.diagnostics.isEmpty, "\(outcome.diagnostics)")
  }
}
