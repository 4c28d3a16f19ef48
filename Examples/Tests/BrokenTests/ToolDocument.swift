/// What a command of the tool writes about these examples, as they are built.
import BuiltTool
import Foundation
import Testing

extension BuiltTool {
  /// Runs a command that looks at the package, and reads the document that it writes.
  static func document<Document: Decodable>(of command: String, as: Document.Type) async throws -> Document {
    let tool = try #require(path, "\(absence)")
    let options = ["--no-build", "--scratch-path", scratch, "--format", "json"]
    let outcome = try await Subprocess.run(tool, [command, examples] + options)
    do {
      return try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
    } catch {
      Issue.record("\(command) ended with \(outcome.status) and wrote no document: \(outcome.notes)")
      throw error
    }
  }
}
