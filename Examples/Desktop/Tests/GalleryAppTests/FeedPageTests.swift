import Foundation
import Testing

extension OnScreen {
  /// The page of the feed: each way of delivery leaves its figures, whatever the display's clock does.
  @Suite("on the page of the feed")
  struct FeedPageTests {
    @Test(
      "asserted and directly every value is shown in its frame, with frames too long and without",
      arguments: ["asserted", "direct"])
    func sameFrame(way: String) async throws {
      let window = try Window("--page", "feed", "--delivery", way, "--updates", "40", "--on-main")
      try await window.wait("feed") { $0["way"] == way && $0["running"] == "false" }
      try await window.click("start or stop")
      let end = try await window.wait("feed") { $0["finished"] == "true" }
      #expect(end["shown"] == "40" && end["skipped"] == "0" && end["inversions"] == "0")
      #expect(end["later"] == "0.00" && end["worst"] == "0")
      #expect(end["measured"] == way && end["problem"]?.isEmpty == true)
    }

    @Test(
      "what hops or has a task is later, and nothing is lost from the count",
      arguments: ["hoppingEveryValue", "hoppingLatest", "taskPerValue"])
    func later(way: String) async throws {
      let window = try Window("--page", "feed", "--delivery", way, "--updates", "40")
      try await window.wait("feed") { $0["way"] == way }
      try await window.click("start or stop")
      let end = try await window.wait("feed") { $0["finished"] == "true" }
      let (shown, skipped) = (Int(end["shown"] ?? "") ?? 0, Int(end["skipped"] ?? "") ?? 0)
      #expect(shown + skipped == 40 && shown > 0)
      #expect(Double(end["later"] ?? "") ?? 0 >= 1)
    }

    @Test("a run is stopped, begun anew, and has another way at a click")
    func choosing() async throws {
      let window = try Window("--page", "feed")
      try await window.wait("feed")
      try await window.click("start or stop")
      try await window.wait("feed") { $0["running"] == "true" && Int($0["update"] ?? "") ?? 0 > 3 }
      try await window.click("start or stop")
      let stopped = try await window.wait("feed") { $0["running"] == "false" }
      #expect(stopped["finished"] == "false" && stopped["measured"]?.isEmpty == true)
      try await window.click("hopping, every value")
      let chosen = try await window.wait("feed") { $0["way"] != "asserted" }
      #expect(chosen["way"] == "hoppingEveryValue" && chosen["running"] == "false" && chosen["update"] == "0")
    }

    @Test("all five ways run one after the other")
    func all() async throws {
      let window = try Window("--page", "feed", "--updates", "12")
      try await window.wait("feed")
      try await window.click("run all five")
      let end = try await window.wait("feed") {
        $0["measured"]?.split(separator: " ").count == 5 && $0["running"] == "false"
      }
      #expect(end["measured"] == "asserted direct hoppingEveryValue hoppingLatest taskPerValue")
    }

    @Test("a runtime that is not there and a delivery that is none are said on the page")
    func problems() async throws {
      let window = try Window("--page", "feed", "--delivery", "pigeon")
      try await window.wait("feed") { $0["way"] == "asserted" }
      #expect(try await window.place(of: "feed notice")[3] > 0)
      try await window.click("Kotlin")
      try await window.wait("feed") { $0["runtime"] == "kotlin" }
      try await window.click("start or stop")
      if ProcessInfo.processInfo.environment["GALLERY_KOTLIN"] == nil {
        let line = try await window.wait("feed") { $0["problem"]?.isEmpty == false }
        #expect(line["problem"]?.contains("make kotlin") == true && line["running"] == "false")
      }
    }
  }
}
