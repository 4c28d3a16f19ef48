import Pictures
import PixbufPictures
import Testing

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

  @Test("that shall take longer are larger")
  func calibration() async throws {
    let quick = try await CalibratedThumbnails.prepared(for: [1], decoding: .milliseconds(1))
    let slow = try await CalibratedThumbnails.prepared(for: [1], decoding: .milliseconds(40))
    #expect(slow.width > quick.width)
  }
}
