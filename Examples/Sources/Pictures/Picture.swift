/// A picture in memory.

/// Red, green and blue, a byte each, row after row. A value: whoever has a copy may read it on any executor.
public struct Picture: Equatable, Sendable {
  public let width: Int
  public let height: Int
  /// `3 * width * height` bytes.
  public let pixels: [UInt8]

  /// - Parameter pixels: three bytes for each pixel. Another number is a mistake of the program and traps.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(
      width > 0 && height > 0 && pixels.count == 3 * width * height,
      "Picture: \(pixels.count) bytes are no picture of \(width) × \(height)")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  public var pixelCount: Int { width * height }

  /// The size within a square of `side` that keeps the proportions, and never more than its own.
  public func size(within side: Int) -> (width: Int, height: Int) {
    let longer = max(width, height)
    guard longer > side else { return (width, height) }
    return (max(1, width * side / longer), max(1, height * side / longer))
  }
}
