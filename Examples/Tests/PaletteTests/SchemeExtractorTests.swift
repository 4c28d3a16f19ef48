import ColourExtraction
import Foundation
import Pictures
import Testing

@Suite("The colours of a picture")
struct SchemeExtractorTests {
  /// Stripes of the same height, one for each colour.
  private func stripes(_ colours: [(UInt8, UInt8, UInt8)], side: Int = 40) -> Picture {
    var pixels: [UInt8] = []
    for y in 0..<side {
      let colour = colours[y * colours.count / side]
      for _ in 0..<side { pixels += [colour.0, colour.1, colour.2] }
    }
    return Picture(width: side, height: side, pixels: pixels)
  }

  @Test("are found exactly when there are as many as asked for")
  func exact() {
    let scheme = SchemeExtractor.schemeComputedHere(
      of: stripes([(255, 0, 0), (0, 255, 0), (0, 0, 255), (250, 250, 250)]), count: 4)
    #expect(Set(scheme.swatches.map(\.colour.description)) == ["#ff0000", "#00ff00", "#0000ff", "#fafafa"])
    #expect(scheme.swatches.allSatisfy { abs($0.share - 0.25) < 1e-9 })
    #expect(scheme.squaredError < 1e-3)
  }

  @Test("are fewer when the picture has fewer")
  func fewer() {
    let scheme = SchemeExtractor.schemeComputedHere(of: stripes([(9, 9, 9), (200, 0, 0)]), count: 8)
    #expect(scheme.swatches.count == 2)
  }

  @Test("come by their share, the largest first, and the same every time")
  func order() {
    let picture = Picture.drawn(seed: 11, width: 120, height: 80)
    let scheme = SchemeExtractor.schemeComputedHere(of: picture, count: 6)
    let shares = scheme.swatches.map(\.share)
    #expect(shares == shares.sorted(by: >))
    #expect(abs(shares.reduce(0, +) - 1) < 1e-9)
    #expect(SchemeExtractor.schemeComputedHere(of: picture, count: 6) == scheme)
  }

  @Test("their squared error is that of every pixel to its nearest centre")
  func error() {
    let picture = Picture.drawn(seed: 5, width: 90, height: 60)
    let scheme = SchemeExtractor.schemeComputedHere(of: picture, count: 8)
    // From the rounded colours, pixel by pixel: rounding moves a centre by up to half a step.
    var sum = 0.0
    for at in stride(from: 0, to: picture.pixels.count, by: 3) {
      let pixel = (0..<3).map { Double(picture.pixels[at + $0]) }
      sum +=
        scheme.swatches.map { swatch in
          let colour = [swatch.colour.red, swatch.colour.green, swatch.colour.blue].map(Double.init)
          return zip(pixel, colour).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        }.min() ?? 0
    }
    #expect(abs(sum / scheme.squaredError - 1) < 0.02)
  }

  @Test("a cache keeps so many, and forgets the one that was unused for longest")
  func cache() {
    let cache = SchemeCache(capacity: 2)
    let picture = UUID()
    let keys = (3...5).map { SchemeCache.Key(picture: picture, count: $0) }
    let scheme = SchemeExtractor.schemeComputedHere(of: stripes([(1, 2, 3)]), count: 3)
    cache.keep(scheme, for: keys[0])
    cache.keep(scheme, for: keys[1])
    #expect(cache[keys[0]] == scheme)
    cache.keep(scheme, for: keys[2])
    #expect(cache.count == 2)
    #expect(cache[keys[1]] == nil)
    #expect(cache[keys[0]] != nil && cache[keys[2]] != nil)
  }

  @Test("a cache may be used by many at once")
  func concurrentCache() async {
    let cache = SchemeCache(capacity: 8)
    let scheme = SchemeExtractor.schemeComputedHere(of: stripes([(1, 2, 3)]), count: 3)
    let keys = (0..<64).map { _ in SchemeCache.Key(picture: UUID(), count: 3) }
    await withTaskGroup(of: Void.self) { group in
      for key in keys {
        group.addTask {
          cache.keep(scheme, for: key)
          _ = cache[key]
        }
      }
    }
    #expect(cache.count == 8)
  }
}
