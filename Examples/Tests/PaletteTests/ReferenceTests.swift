import ColourExtraction
import Foundation
import Pictures
import Testing

/// The colours of two photographs against those that scikit-learn finds in ten runs.
///
/// `scripts/reference-palettes` makes the reference, and `scripts/test` runs it. Without it the test is skipped; not in CI.
@Suite("Against scikit-learn")
struct ReferenceTests {
  private struct Reference: Decodable {
    let picture: String
    let width: Int
    let height: Int
    let count: Int
    let best: Double
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: ".build/reference")
  private static var isThere: Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: "reference.json").path)
  }

  @Test(
    "the squared error is within 3 % of the best of ten reference runs",
    .enabled(if: isThere || ProcessInfo.processInfo.environment["CI"] == "true", "run scripts/reference-palettes first")
  )
  func squaredError() throws {
    let text = try Data(contentsOf: Self.folder.appending(path: "reference.json"))
    let references = try JSONDecoder().decode([Reference].self, from: text)
    try #require(references.count == 4)
    for reference in references {
      let pixels = try Data(contentsOf: Self.folder.appending(path: "\(reference.picture).rgb"))
      let picture = Picture(width: reference.width, height: reference.height, pixels: Array(pixels))
      let scheme = SchemeExtractor.schemeComputedHere(of: picture, count: reference.count)
      let ratio = scheme.squaredError / reference.best
      #expect(ratio < 1.03, "\(reference.picture), \(reference.count) colours")
      // Twice ten runs cannot miss a result that is much better: a smaller error would be a wrong one.
      #expect(ratio > 0.97, "\(reference.picture), \(reference.count) colours")
    }
  }
}
