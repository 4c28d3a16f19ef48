import Foundation
import Pictures
import PixbufPictures
import Testing

@Suite("A picture on disk")
struct PictureFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  private func file(_ name: String, _ bytes: Data) throws -> PictureFile {
    let url = folder.appending(path: name)
    try bytes.write(to: url)
    return PictureFile(path: url.path)
  }

  @Test("is read and decoded")
  func reads() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let drawn = Picture.drawn(seed: 3, width: 8, height: 8)
    let file = try file("a.png", PixbufCodec().encoded(drawn, as: .png))
    #expect(try await file.picture(by: PixbufCodec()) == drawn)
  }

  @Test("that is missing, a folder or empty says so by its name")
  func badFiles() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let missing = PictureFile(path: folder.appending(path: "none.png").path)
    await #expect(throws: PictureError.unreadable(name: "none.png", reason: "No such file or directory")) {
      try await missing.bytes()
    }
    await #expect(throws: PictureError.self) { try await PictureFile(path: folder.path).bytes() }
    let empty = try file("empty.png", Data())
    await #expect(throws: PictureError.empty(name: "empty.png")) { try await empty.bytes() }
  }
}
