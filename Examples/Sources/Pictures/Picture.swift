/// A picture in memory.

/// What room there is for a picture, in pixels of a screen.
public struct PictureRoom: Equatable, Sendable {
  public let width: Int
  public let height: Int

  /// - Parameters:
  ///   - width: less than 1 counts as 1.
  ///   - height: the same.
  public init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
  }
}

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

  /// The size that keeps the proportions and fills one of the sides of a rectangle, larger than its own when there is
  /// room for it.
  public func size(filling room: PictureRoom) -> (width: Int, height: Int) {
    if width * room.height >= height * room.width {
      return (room.width, max(1, (height * room.width + width / 2) / width))
    }
    return (max(1, (width * room.height + height / 2) / height), room.height)
  }
}
