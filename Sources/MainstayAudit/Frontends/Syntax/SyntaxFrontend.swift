/// Reads modules that no compiler can read here: what the source alone says, with low confidence.
import Foundation
import MainstayFindings

struct SyntaxFrontend: Frontend {
  func read(_ module: SourceModule) throws -> [FileFacts] {
    []
  }
}
