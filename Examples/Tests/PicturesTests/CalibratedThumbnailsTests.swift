import Pictures
import Testing

@testable import PixbufPictures

@Suite("Calibrated thumbnails")
struct CalibratedThumbnailsTests {
  @Test("are real pictures of the size of a list, another for each number")
  func decodes() async throws {
    let source = try await CalibratedThumbnails.prepared(for: [1, 2], decoding: .milliseconds(1))
    let one = try source.thumbnail(seed: 1)
    #expect(one.width == min(CalibratedThumbnails.side, source.width))
    #expect(try source.thumbnail(seed: 2) != one)
    #expect(throws: PictureError.unreadable(name: "picture 3", reason: "nobody has drawn it")) {
      try source.thumbnail(seed: 3)
    }
  }

  @Test("are as large as makes decoding take what was asked for, by the clock that is given")
  func calibration() throws {
    // A machine on which a picture of 1000 × 625 pixels takes 10 ms, whatever else it does.
    func thumbnails(_ decoding: Duration) throws -> CalibratedThumbnails {
      try CalibratedThumbnails.prepared(for: [1], decoding: decoding) { .microseconds($0 * $0 / 100) }
    }
    let quick = try thumbnails(.milliseconds(1))
    let slow = try thumbnails(.milliseconds(40))
    // The square root of a tenth, and of four; what is off by a pixel was rounded.
    #expect((314...318).contains(quick.width) && (1998...2002).contains(slow.width), "\(quick.width), \(slow.width)")
    #expect(slow.height == slow.width * 5 / 8)
    #expect(try thumbnails(.microseconds(1)).width == 32, "there is a least")
  }
}
