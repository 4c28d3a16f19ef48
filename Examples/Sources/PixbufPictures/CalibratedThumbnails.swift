/// Thumbnails whose decoding takes about a given time on this machine.
import Foundation
import Pictures

/// Holds encoded pictures, and decodes one with the platform's JPEG decoder each time it is asked.
public struct CalibratedThumbnails: ThumbnailSource {
  /// The longer side of a thumbnail, in pixels.
  public static let side = 160

  private let encoded: [UInt32: Data]
  /// The size of the encoded pictures, chosen so that decoding one takes as long as was asked for.
  public let width: Int
  public let height: Int
  private let codec = PixbufCodec()

  /// Draws and encodes the pictures off the caller's actor.
  ///
  /// - Parameters:
  ///   - seeds: which pictures.
  ///   - decoding: how much processor time one shall take, from 0.1 ms to a second.
  @concurrent
  public static func prepared(for seeds: [UInt32], decoding: Duration) async throws(PictureError) -> Self {
    try prepared(for: seeds, decoding: decoding) { width throws(PictureError) in
      try processorTime(ofDecoding: encoded(seed: seeds.first ?? 0, width: width))
    }
  }

  /// - Parameter timed: how much processor time decoding a picture of a width takes.
  static func prepared(
    for seeds: [UInt32], decoding: Duration, timed: (_ width: Int) throws(PictureError) -> Duration
  ) throws(PictureError) -> Self {
    var width = 800
    for _ in 0..<3 {
      let taken = try timed(width)
      // Time goes with the number of pixels.
      width = min(max(Int(Double(width) * (decoding / max(taken, .microseconds(50))).squareRoot()), 32), 12_000)
    }
    var pictures: [UInt32: Data] = [:]
    for seed in seeds where pictures[seed] == nil { pictures[seed] = encoded(seed: seed, width: width) }
    return Self(encoded: pictures, width: width, height: Self.height(for: width))
  }

  private init(encoded: [UInt32: Data], width: Int, height: Int) {
    self.encoded = encoded
    self.width = width
    self.height = height
  }

  public func thumbnail(seed: UInt32) throws(PictureError) -> Picture {
    let name = "picture \(seed)"
    guard let bytes = encoded[seed] else { throw .unreadable(name: name, reason: "nobody has drawn it") }
    return codec.scaled(try codec.picture(from: bytes, name: name), within: Self.side)
  }

  private static func height(for width: Int) -> Int { width * 5 / 8 }

  private static func encoded(seed: UInt32, width: Int) -> Data {
    let codec = PixbufCodec()
    let drawn = Picture.drawn(seed: seed, width: 320, height: 200)
    return codec.encoded(codec.scaled(drawn, width: width, height: height(for: width)), as: .jpeg)
  }

  /// The middle one of five.
  private static func processorTime(ofDecoding bytes: Data) throws(PictureError) -> Duration {
    let codec = PixbufCodec()
    var lengths: [Duration] = []
    for _ in 0..<5 {
      let start = threadTime()
      _ = codec.scaled(try codec.picture(from: bytes, name: "a picture"), within: side)
      lengths.append(threadTime() - start)
    }
    return lengths.sorted()[2]
  }

  /// Another thread's work does not count.
  private static func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
