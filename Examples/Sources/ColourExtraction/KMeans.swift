/// The best few points to stand for many.

/// Lloyd's algorithm on weighted points, begun with greedy k-means++ and repeated; the same points give the same result.
struct KMeans {
  struct Outcome {
    var centres: [SIMD3<Float>]
    /// The pixels of each centre.
    var pixels: [Double]
    /// The weighted sum of squared distances of the points to their centres.
    var error: Double
  }

  static let attempts = 16
  private static let mostRounds = 100

  let points: [ColourHistogram.Point]
  let count: Int

  /// - Parameter count: how many centres, at least one.
  init(_ points: [ColourHistogram.Point], count: Int) {
    self.points = points
    self.count = min(count, points.count)
  }

  /// - Returns: nil when there are no points.
  func best() -> Outcome? {
    guard count > 0 else { return nil }
    var generator = SplitMix(state: 0x9E37_79B9)
    var best: Outcome?
    for _ in 0..<Self.attempts {
      let outcome = settled(beginning: seeds(&generator))
      if outcome.error < (best?.error ?? .infinity) { best = outcome }
    }
    return best
  }

  /// Centres far apart: each is chosen in proportion to its squared distance from those before, the best of some tries.
  private func seeds(_ generator: inout SplitMix) -> [SIMD3<Float>] {
    let tries = 2 + Int(bitWidthOf: count)
    var nearest = [Double](repeating: .infinity, count: points.count)
    var centres: [SIMD3<Float>] = []
    while centres.count < count {
      let weights =
        centres.isEmpty ? points.map(\.pixels) : zip(points, nearest).map { $0.pixels * $1 }
      let total = weights.reduce(0, +)
      guard total > 0 else { break }
      var chosen: (potential: Double, nearest: [Double], centre: SIMD3<Float>)?
      for _ in 0..<(centres.isEmpty ? 1 : tries) {
        let centre = points[Self.index(at: generator.unit() * total, in: weights)].mean
        var candidate = nearest
        var potential = 0.0
        for (index, point) in points.enumerated() {
          let offset = point.mean - centre
          candidate[index] = min(candidate[index], Double((offset * offset).sum()))
          potential += candidate[index] * point.pixels
        }
        if potential < (chosen?.potential ?? .infinity) { chosen = (potential, candidate, centre) }
      }
      guard let chosen else { break }
      nearest = chosen.nearest
      centres.append(chosen.centre)
    }
    return centres
  }

  private static func index(at place: Double, in weights: [Double]) -> Int {
    var passed = 0.0
    for (index, weight) in weights.enumerated() {
      passed += weight
      if passed > place { return index }
    }
    return weights.lastIndex { $0 > 0 } ?? 0
  }

  /// Moves every centre to the middle of the points that are nearest to it, until none moves by a hundredth.
  private func settled(beginning centres: [SIMD3<Float>]) -> Outcome {
    var centres = centres
    var outcome = Outcome(centres: centres, pixels: [], error: .infinity)
    for _ in 0..<Self.mostRounds {
      var sums = [SIMD4<Double>](repeating: .zero, count: centres.count)
      var error = 0.0
      points.withUnsafeBufferPointer { points in
        for point in points {
          var nearest = 0
          var least = Float.infinity
          for index in centres.indices {
            let offset = point.mean - centres[index]
            let distance = (offset * offset).sum()
            if distance < least {
              least = distance
              nearest = index
            }
          }
          let mean = SIMD3<Double>(point.mean)
          sums[nearest] += SIMD4(mean * point.pixels, point.pixels)
          error += Double(least) * point.pixels
        }
      }
      outcome = Outcome(centres: centres, pixels: sums.map(\.w), error: error)
      var moved: Float = 0
      for index in centres.indices where sums[index].w > 0 {
        let mean = sums[index] / sums[index].w
        let next = SIMD3<Float>(Float(mean.x), Float(mean.y), Float(mean.z))
        let offset = next - centres[index]
        moved = max(moved, (offset * offset).sum())
        centres[index] = next
      }
      if moved < 1e-4 { break }
    }
    return outcome
  }
}

extension Int {
  /// The binary logarithm, rounded up: how many bits it takes to tell so many apart.
  fileprivate init(bitWidthOf count: Int) {
    self = count < 2 ? 1 : Int.bitWidth - (count - 1).leadingZeroBitCount
  }
}

/// Random numbers that are the same everywhere.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// From 0 to 1, 1 excluded.
  mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
