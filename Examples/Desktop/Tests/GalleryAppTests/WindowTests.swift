import Foundation
import Pictures
import PixbufPictures
import Testing

extension OnScreen {
  /// The window as a person uses it: clicks, keys and drags from outside, on a screen in memory.
  @Suite("in all its pages")
  struct WindowTests {
    @Test("typing searches at every keystroke, and nothing is shown that was typed before")
    func typing() async throws {
      let window = try Window()
      try await window.wait("library")
      try await window.click("search field")
      try await window.screen.hand("type", "--delay", "12", "article 29")
      let last = try await window.wait("search") { $0["phase"] == "loaded" && $0["query"] == "article 29" }
      #expect(last["total"] == "11", "29 and 290 to 299")
      // Each keystroke makes the query longer: whatever was shown was for no older one than what was shown before.
      var newest = ""
      for line in window.all("search") {
        guard let query = line["query"] else { continue }
        #expect(query.hasPrefix(newest))
        newest = query
      }
      try await window.screen.hand("key", "ctrl+a", "BackSpace")
      try await window.wait("search") { $0["phase"] == "idle" }
    }

    @Test("keys go to the pages, find, and turn the switch; the meter is always there")
    func keys() async throws {
      let window = try Window()
      try await window.wait("library")
      for (key, page) in [("alt+2", "thumbnails"), ("alt+3", "playback"), ("alt+4", "palette"), ("ctrl+f", "search")] {
        try await window.screen.hand("key", key)
        try await window.wait("page") { $0["name"] == page }
        for part in ["frames a second", "missed frames", "last main-actor job", "lateness plot"] {
          #expect(try await window.place(of: part)[2] > 0)
        }
      }
      try await window.screen.hand("key", "ctrl+m")
      try await window.wait("switch") { $0["page"] == "search" && $0["main"] == "true" }
      try await window.click("work on the main actor")
      try await window.wait("switch") { $0["page"] == "search" && $0["main"] == "false" }
      let meter = try await window.wait("meter") { Int($0["fps"] ?? "") ?? 0 > 0 }
      #expect(meter["job"]?.isEmpty == false)
      try await window.screen.hand("key", "ctrl+q")
      #expect(try await window.end() == 0)
    }

    @Test("the keys are listed by a key")
    func shortcuts() async throws {
      let window = try Window()
      try await window.wait("library")
      try await window.screen.hand("key", "ctrl+question")
      try await window.screen.hand(on: "Keyboard Shortcuts", "getwindowname")
    }

    @Test("articles that are found while their page is looked at get their places there")
    func foundLater() async throws {
      let window = try Window("--page", "thumbnails", "--query", "actors")
      try await window.wait("thumbnails") { $0["running"] == "" }
      #expect(try await window.place(of: "thumbnails")[2] > 0)
    }

    @Test("playback plays, seeks by a drag, saves each position and goes on from it after a kill")
    func playback() async throws {
      let window = try Window("--page", "playback")
      try await window.wait("playback") { $0["position"] == "0" }
      try await window.click("play or pause")
      try await window.wait("saved") { Int($0["position"] ?? "") ?? 0 >= 2 }
      try await window.click("play or pause")
      try await window.wait("playback") { $0["playing"] == "false" }
      try await window.drag("seek", from: 0.02, to: 0.5)
      // Only the last step of the drag leads there.
      let saved = try await window.wait("saved") { (335...380).contains(Int($0["position"] ?? "") ?? 0) }
      window.kill()
      let next = try Window("--page", "playback", in: window.folder)
      try await next.wait("playback") { $0["position"] == saved["position"] }
    }

    @Test("a tap extracts colours: busy and pulsing at once, the slider still, the colours in one change")
    func palette() async throws {
      let folder = try Folder()
      try PixbufCodec().encoded(.drawn(seed: 8, width: 600, height: 400), as: .jpeg)
        .write(to: URL(filePath: folder.path("photo.jpg")))
      let window = try Window("--page", "palette", "--picture", folder.path("photo.jpg"), in: folder)
      try await window.wait("palette") { $0["picture"] == "photo.jpg" }
      try await window.drag("number of colours", from: 0.28, to: 0.9)
      try await window.wait("palette") { Int($0["count"] ?? "") ?? 5 > 5 }
      try await window.click("colours; click to extract")
      let done = try await window.wait("palette") { $0["colours"]?.isEmpty == false }
      #expect(done["extracting"] == "false" && done["pulse"] == "false")
      #expect(done["colours"]?.split(separator: " ").count == Int(done["count"] ?? ""))
      for line in window.all("palette") { #expect(line["extracting"] == line["pulse"]) }
      #expect(window.all("palette").contains { $0["extracting"] == "true" })
      #expect(!window.all("geometry").isEmpty, "the stage has told of its geometry")
    }

    @Test("what is no picture is said on the page, and the application goes on")
    func noPicture() async throws {
      let folder = try Folder()
      try Data("words".utf8).write(to: URL(filePath: folder.path("notes.txt")))
      let window = try Window("--page", "palette", "--picture", folder.path("notes.txt"), in: folder)
      let line = try await window.wait("palette") { $0["problem"]?.isEmpty == false }
      #expect(line["problem"] == "notes.txt is no picture that is known here. Choose a PNG or JPEG picture.")
      try await window.screen.hand("key", "alt+1")
      try await window.wait("page") { $0["name"] == "search" }
    }

    @Test("a catalogue that is missing is said on the page, with the script that makes it")
    func noCatalogue() async throws {
      let window = try Window("--catalogue", "/nowhere/catalogue.json")
      let line = try await window.wait("search") { $0["phase"] == "failed" }
      #expect(line["message"]?.contains("scripts/make-catalogue") == true)
    }

    @Test("a settings file that is not understood is kept aside, and playback begins anew")
    func foreignSettings() async throws {
      let folder = try Folder()
      try Data("something else".utf8).write(to: URL(filePath: folder.path("playback.json")))
      try Data("something else".utf8).write(to: URL(filePath: folder.path("playback.json")))
      let window = try Window("--page", "playback", in: folder)
      try await window.wait("playback") { $0["position"] == "0" }
      #expect(try await window.place(of: "notice")[3] > 0)
      #expect(FileManager.default.fileExists(atPath: folder.path("playback.json.kept-1")))
    }

    @Test("three ways of thumbnails are measured one after the other")
    func thumbnails() async throws {
      let window = try Window("--query", "actors")
      try await window.wait("search") { $0["phase"] == "loaded" }
      try await window.screen.hand("key", "alt+2")
      try await window.wait("thumbnails") { $0["running"] == "" }
      try await window.click("measure all three ways")
      let line = try await window.wait("thumbnails") {
        $0["measured"]?.split(separator: " ").count == 3 && $0["running"] == ""
      }
      #expect(line["pictures"] == "20")
    }

    @Test(
      "light and dark look different, and neither is empty", arguments: [("light", 0.75...1.0), ("dark", 0.0...0.4)])
    func themes(theme: String, brightness: ClosedRange<Double>) async throws {
      let window = try Window("--theme", theme, "--query", "actors")
      try await window.wait("search") { $0["phase"] == "loaded" }
      try await window.wait("meter") { Int($0["fps"] ?? "") ?? 0 > 0 }
      #expect(brightness.contains(try await window.screen.measure("%[fx:mean]", of: Window.place)))
      #expect(try await window.screen.measure("%k", of: Window.place) > 100, "text has edges of many shades")
    }
  }
}
