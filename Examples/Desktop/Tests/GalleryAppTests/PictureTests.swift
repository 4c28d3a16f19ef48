/// Pictures that come into the window, good and bad.
import Foundation
import Pictures
import PixbufPictures
import Testing

extension OnScreen {
  @Suite("with pictures")
  struct PictureTests {
    @Test("a picture that is dragged from another program and dropped on the palette is opened")
    func dropped() async throws {
      let window = try Window("--page", "palette")
      let photo = window.path("dropped.png")
      try PixbufCodec().encoded(.drawn(seed: 3, width: 90, height: 60), as: .png).write(to: URL(filePath: photo))
      try window.start("DragProbe", photo)
      try await window.screen.hand(on: "Drag probe", "windowmove", "1050", "100")
      try await window.wait("palette")
      // A hand that is early drops nothing: the other window has to be there, too.
      while window.all("palette").last?["picture"]?.isEmpty != false {
        try await window.drag(from: (x: 1150, y: 170), onto: "picture or none")
        for _ in 0..<20 where window.all("palette").last?["picture"]?.isEmpty != false {
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      try await window.wait("palette") { $0["picture"] == "dropped.png" && $0["problem"] == "" }
    }

    @Test("a picture that is none, cut off, empty, of a gigapixel or not there is refused on the page, with what to do")
    func refused() async throws {
      let folder = try Folder()
      let codec = PixbufCodec()
      let good = codec.encoded(.drawn(seed: 5, width: 60, height: 40), as: .png)
      let files: [(name: String, bytes: Data?, problem: String)] = [
        ("text.png", Data("words".utf8), "text.png is no picture that is known here. Choose a PNG or JPEG picture."),
        ("cut.png", good.prefix(good.count / 2), "cut.png is damaged: "),
        ("empty.png", Data(), "empty.png is empty. Choose a PNG or JPEG picture."),
        ("huge.png", Self.header(width: 30_000, height: 30_000), "30000 × 30000"),
        ("missing.png", nil, "missing.png cannot be read: "),
      ]
      for file in files {
        try file.bytes?.write(to: URL(filePath: folder.path(file.name)))
        let window = try Window("--page", "palette", "--picture", folder.path(file.name), in: folder)
        let line = try await window.wait("palette") { $0["problem"]?.isEmpty == false }
        #expect(line["problem"]?.contains(file.problem) == true, "\(line["problem"] ?? "")")
        #expect(line["picture"] == "")
      }
    }

    /// The beginning of a PNG file: it says its size, which is all that is needed to refuse it.
    private static func header(width: UInt32, height: UInt32) -> Data {
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
}
