/// Where the pictures of a list come from.

/// Belongs to no actor. Each call computes where it is called, for some milliseconds.
public protocol ThumbnailSource: Sendable {
  /// - Parameter seed: which picture.
  func thumbnail(seed: UInt32) throws(PictureError) -> Picture
}

extension Picture {
  /// Draws a picture from a number: a sky, a sun and hills, different from number to number.
  public static func drawn(seed: UInt32, width: Int, height: Int) -> Picture {
    func share(_ part: UInt32) -> Double {
      var mixed = (seed &+ part) &* 0x9E37_79B1
      mixed ^= mixed >> 15
      mixed = mixed &* 0x85EB_CA77
      mixed ^= mixed >> 13
      return Double(mixed) / Double(UInt32.max)
    }
    func colour(_ part: UInt32) -> SIMD3<Double> {
      SIMD3(40 + 200 * share(part), 40 + 200 * share(part + 1), 40 + 200 * share(part + 2))
    }
    let (top, bottom, sun, hill) = (colour(1), colour(4), colour(7), colour(10))
    let centre = SIMD2(share(13) * Double(width), share(14) * Double(height) * 0.6)
    let radius = Double(height) * (0.1 + 0.15 * share(15))
    let slope = 2 + 6 * share(16)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(3 * width * height)
    for y in 0..<height {
      let depth = Double(y) / Double(height)
      let sky = top + (bottom - top) * depth
      for x in 0..<width {
        let across = Double(x) / Double(width)
        let edge = 0.7 + 0.08 * (((across * slope).truncatingRemainder(dividingBy: 1) - 0.5).magnitude * 2)
        let offset = SIMD2(Double(x), Double(y)) - centre
        let isSun = (offset * offset).sum() < radius * radius
        let shade = depth > edge ? hill * (1.2 - 0.5 * depth) : isSun ? sun : sky
        // A grain, as a camera has: without one every format would be quicker than with a photograph.
        let grain = Double((x &* 73 ^ y &* 151 ^ Int(seed & 0xFF)) & 15) - 8
        for channel in 0..<3 { pixels.append(UInt8(min(255, max(0, shade[channel] + grain)))) }
      }
    }
    return Picture(width: width, height: height, pixels: pixels)
  }
}
