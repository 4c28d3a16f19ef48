import Foundation

extension RunSummary {
  /// The document `mainstay.run/1`: the same bytes for the same summary.
  public func document() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}
