/// The meter, by the numbers that it shows.
import Foundation
import Mainstay
import Pictures
import PixbufPictures
import Testing

extension OnScreen {
  @Suite("with its meter")
  struct MeterTests {
    @Test("a job of T on the main actor shows as T, as ceil(T/Tf) - 1 frames, and as no fewer frames missed")
    func onMain() async throws {
      let folder = try Folder()
      let photo = folder.path("photo.jpg")
      try PixbufCodec().encoded(.drawn(seed: 8, width: 2400, height: 1600), as: .jpeg).write(to: URL(filePath: photo))
      let window = try Window("--page", "palette", "--on-main", "--picture", photo, in: folder)
      try await window.wait("palette") { $0["picture"] == "photo.jpg" }
      // What was decoded and drawn before is over when a second has passed without a missed frame.
      try await window.wait("meter") { $0["lastSecond"] == "0" && Int($0["fps"] ?? "") ?? 0 > 0 }
      let before = try Self.missed(window)
      try await window.click("extract colours")
      try await window.wait("palette") { $0["colours"]?.isEmpty == false }
      let shown = try await window.wait("meter") { line in (Self.job(line)?.frames ?? 0) >= 2 }
      let job = try #require(Self.job(shown))
      // The length is written in tenths of a millisecond, from 100 on in whole ones, and from a second on in tenths of it;
      // the frames are of the exact one.
      let grain: Duration =
        job.length < .milliseconds(100)
        ? .microseconds(50) : job.length < .seconds(1) ? .microseconds(500) : .milliseconds(50)
      let foreseen =
        FrameBudget.hz60.droppedFrames(
          for: job.length - grain)...FrameBudget.hz60.droppedFrames(
          for: job.length + grain)
      #expect(foreseen.contains(job.frames), "\(shown["job"] ?? "")")
      try await window.wait("meter") { Int($0["missed"] ?? "") ?? 0 >= before + job.frames }
      #expect(window.all("meter").contains { Int($0["lastSecond"] ?? "") ?? 0 >= job.frames })
      #expect(try await window.place(of: "missed frames")[2] > 0)
    }

    @Test("the meter tells no frames a second before there was a second of them, and never more than the display has")
    func rate() async throws {
      let window = try Window("--query", "actors")
      try await window.wait("search") { $0["phase"] == "loaded" }
      let told = try await window.wait("meter") { Int($0["fps"] ?? "") ?? 0 > 0 }
      let before = window.all("meter").prefix { $0 != told }
      #expect(!before.isEmpty && before.allSatisfy { $0["fps"] == "" })
      #expect(window.all("meter").allSatisfy { Int($0["fps"] ?? "") ?? 0 <= 61 })
    }

    /// The frames that were missed until now.
    private static func missed(_ window: Window) throws -> Int {
      try #require(window.all("meter").last.flatMap { Int($0["missed"] ?? "") })
    }

    /// `last job 84.3 ms · 5 frames`, `last job 1.2 s · 71 frames`.
    private static func job(_ line: [String: String]) -> (length: Duration, frames: Int)? {
      let words = line["job"]?.split(separator: " ") ?? []
      guard words.count == 7, let length = Double(words[2]), let frames = Int(words[5]) else { return nil }
      return (.microseconds(Int64(length * (words[3] == "s" ? 1_000_000 : 1000))), frames)
    }
  }
}
