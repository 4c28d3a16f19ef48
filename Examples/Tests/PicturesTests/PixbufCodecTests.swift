import Foundation
import Pictures
import PixbufPictures
import Testing

@Suite("Pictures of the platform's decoders")
struct PixbufCodecTests {
  private let codec = PixbufCodec()
  private let drawn = Picture.drawn(seed: 7, width: 60, height: 40)

  @Test("a PNG comes back as it was, byte for byte")
  func png() throws {
    let picture = try codec.picture(from: codec.encoded(drawn, as: .png), name: "a.png")
    #expect(picture == drawn)
  }

  @Test("a JPEG comes back in its size and nearly its colours")
  func jpeg() throws {
    let picture = try codec.picture(from: codec.encoded(drawn, as: .jpeg), name: "a.jpeg")
    #expect((picture.width, picture.height) == (60, 40))
    let off = zip(picture.pixels, drawn.pixels).map { abs(Int($0) - Int($1)) }.reduce(0, +)
    #expect(off / drawn.pixels.count < 12)
  }

  @Test("scaling keeps the proportions and makes nothing larger")
  func scaling() {
    let small = codec.scaled(drawn, within: 30)
    #expect((small.width, small.height) == (30, 20))
    #expect(codec.scaled(drawn, within: 600) == drawn)
    #expect(codec.scaled(drawn, width: 120, height: 80).pixelCount == 9600)
  }

  @Test(
    "the size that fills a room keeps the proportions, also of what is smaller, and is never nothing",
    arguments: [
      (60, 40, 90, 90, 90, 60), (60, 40, 90, 30, 45, 30), (4000, 3000, 783, 401, 535, 401), (1, 900, 300, 300, 1, 300),
      (900, 1, 300, 300, 300, 1), (60, 40, 0, 0, 1, 1),
    ])
  func filling(width: Int, height: Int, across: Int, down: Int, wide: Int, high: Int) {
    let picture = Picture(width: width, height: height, pixels: [UInt8](repeating: 0, count: 3 * width * height))
    #expect(picture.size(filling: PictureRoom(width: across, height: down)) == (wide, high))
  }

  @Test("what is empty, no picture, cut off or damaged is refused by name")
  func badInput() throws {
    let png = codec.encoded(drawn, as: .png)
    let jpeg = codec.encoded(drawn, as: .jpeg)
    #expect(throws: PictureError.empty(name: "e")) { try codec.picture(from: Data(), name: "e") }
    #expect(throws: PictureError.notAPicture(name: "t")) {
      try codec.picture(from: Data("not a picture at all, just text".utf8), name: "t")
    }
    for cut in [png.prefix(png.count / 2), jpeg.prefix(jpeg.count / 2), png.prefix(20), jpeg.prefix(20)] {
      let error = try #require(throws: PictureError.self) { _ = try codec.picture(from: Data(cut), name: "cut") }
      guard case .damaged("cut", let reason) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(!reason.isEmpty)
      #expect("\(error)".hasPrefix("cut is damaged: "))
    }
  }

  @Test("a picture of 30,000 × 30,000 pixels is refused with its size, before it is decoded")
  func tooLarge() throws {
    // A PNG's header says its size; nothing else of it is needed to refuse it.
    let error = try #require(throws: PictureError.self) {
      _ = try codec.picture(from: Self.pngHeader(width: 30_000, height: 30_000), name: "huge.png")
    }
    #expect(error == .tooLarge(name: "huge.png", width: 30_000, height: 30_000))
    #expect("\(error)".contains("30000 × 30000"))
  }

  @Test("every byte of a picture may be wrong without harm")
  func fuzz() throws {
    var state: UInt32 = 1
    func random(_ limit: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % limit
    }
    for format in [PixbufCodec.Format.png, .jpeg] {
      let bytes = codec.encoded(drawn, as: format)
      for _ in 0..<150 {
        var damaged = bytes
        for _ in 0..<3 { damaged[random(damaged.count)] = UInt8(random(256)) }
        // A picture or a typed error; which of the two is the decoder's business.
        _ = try? codec.picture(from: damaged, name: "f")
      }
    }
  }

  /// Signature, IHDR and the beginning of IDAT of an RGB picture.
  static func pngHeader(width: UInt32, height: UInt32) -> Data {
    func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      let named = Array(name.utf8) + body
      var sum: UInt32 = 0xFFFF_FFFF
      for byte in named {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
      }
      return big(UInt32(body.count)) + named + big(~sum)
    }
    return Data(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + chunk("IHDR", big(width) + big(height) + [8, 2, 0, 0, 0]) + chunk("IDAT", [0x78, 0x9C, 0x03, 0x00]))
  }
}
