/// Finds the colours that stand for a picture.
import Pictures

public enum SchemeExtractor {
  /// How many colours a scheme may have.
  public static let counts = 3...10

  /// Computes off the caller's actor.
  @concurrent
  public static func scheme(of picture: Picture, count: Int) async -> ColourScheme {
    schemeComputedHere(of: picture, count: count)
  }

  /// Computes on the executor of the caller: a tenth of a second for twelve million pixels, which an actor with a frame
  /// budget does not have.
  ///
  /// A picture of fewer different colours gets fewer.
  ///
  /// - Parameter count: how many colours; a number outside ``counts`` is a mistake of the program and traps.
  public static func schemeComputedHere(of picture: Picture, count: Int) -> ColourScheme {
    precondition(counts.contains(count), "SchemeExtractor: \(count) colours; use \(counts)")
    let histogram = ColourHistogram(of: picture)
    guard let outcome = KMeans(histogram.points, count: count).best() else {
      return ColourScheme(swatches: [], squaredError: 0)
    }
    let total = Double(histogram.pixels)
    let swatches = zip(outcome.centres, outcome.pixels).filter { $1 > 0 }
      .map { ColourScheme.Swatch(colour: Colour($0), share: $1 / total) }
      .sorted { ($0.share, $1.colour.description) > ($1.share, $0.colour.description) }
    // A box's pixels lie around its mean: their own spread, and the distance of the mean from the centre.
    let spread = histogram.points.reduce(histogram.squares) { $0 - $1.pixels * Double(($1.mean * $1.mean).sum()) }
    return ColourScheme(swatches: swatches, squaredError: max(0, spread) + outcome.error)
  }
}

extension Colour {
  fileprivate init(_ centre: SIMD3<Float>) {
    let rounded = centre.rounded(.toNearestOrAwayFromZero).clamped(
      lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
    self.init(red: UInt8(rounded.x), green: UInt8(rounded.y), blue: UInt8(rounded.z))
  }
}
