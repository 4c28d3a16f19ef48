/// How often which colours come in a picture.
import Pictures

/// The pixels in 32 × 32 × 32 boxes of similar colours, each with its pixels' exact mean.
///
/// A picture of millions of pixels becomes some thousand points, and a scheme that is chosen from the points is within a
/// fraction of a percent of one that is chosen from the pixels: a box is split between two colours only where they meet.
struct ColourHistogram {
  struct Point {
    /// The mean of the box: red, green and blue from 0 to 255.
    var mean: SIMD3<Float>
    var pixels: Double
  }

  private(set) var points: [Point] = []
  private(set) var pixels = 0
  /// The sum over all pixels of their squared length.
  private(set) var squares: Double = 0

  private static let boxes = 1 << 15
  /// A box's sums are 32 bits wide; so many pixels of 255 fit, whatever box they are in.
  private static let batch = Int(UInt32.max) / 255

  init(of picture: Picture) {
    pixels = picture.pixelCount
    var totals = [SIMD4<Double>](repeating: .zero, count: Self.boxes)
    var sums = [SIMD4<UInt32>](repeating: .zero, count: Self.boxes)
    picture.pixels.withUnsafeBufferPointer { bytes in
      var start = 0
      while start < pixels {
        let end = min(start + Self.batch, pixels)
        squares += Double(Self.add(bytes, from: start, to: end, into: &sums))
        for box in sums.indices where sums[box].w > 0 {
          totals[box] += SIMD4<Double>(sums[box])
          sums[box] = .zero
        }
        start = end
      }
    }
    for total in totals where total.w > 0 {
      let mean = total / total.w
      points.append(Point(mean: SIMD3(Float(mean.x), Float(mean.y), Float(mean.z)), pixels: total.w))
    }
  }

  /// - Returns: the sum of squares.
  private static func add(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, into sums: inout [SIMD4<UInt32>]
  ) -> UInt64 {
    var squares: UInt64 = 0
    sums.withUnsafeMutableBufferPointer { sums in
      var at = 3 * start
      while at < 3 * end {
        let red = UInt32(bytes[at])
        let green = UInt32(bytes[at + 1])
        let blue = UInt32(bytes[at + 2])
        let box = Int((red >> 3) << 10 | (green >> 3) << 5 | blue >> 3)
        sums[box] &+= SIMD4(red, green, blue, 1)
        squares &+= UInt64(red &* red &+ green &* green &+ blue &* blue)
        at += 3
      }
    }
    return squares
  }
}
