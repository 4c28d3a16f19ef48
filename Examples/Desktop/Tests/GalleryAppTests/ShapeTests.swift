/// The window in other sizes and in other colours.
import Foundation
import Testing
import WalletKit
import WalletStore

extension OnScreen {
  @Suite("in other shapes")
  struct ShapeTests {
    @Test("a larger window gives its pages the room, a narrow one folds the list of pages away, and F9 brings it back")
    func resized() async throws {
      let window = try Window("--page", "palette")
      try await window.wait("geometry")
      // The list of pages is beside the page once the window has its size.
      try await window.wait("place") { _ in (window.newestPlace(of: "colours; click to extract")?[0] ?? 0) > 180 }
      let before = try await window.place(of: "colours; click to extract")[2]
      try await window.screen.hand(on: "Gallery", "windowsize", "1200", "760")
      try await window.wait("place") { _ in
        (window.newestPlace(of: "colours; click to extract")?[2] ?? 0) >= before + 190
      }
      let swatch = try await window.wait("geometry") { Int($0["swatch"] ?? "") ?? 0 > Int(before / 5) }
      #expect(swatch["names"] == "true")
      try await window.screen.hand(on: "Gallery", "windowsize", "640", "600")
      try await window.wait("sidebar") { $0["folded"] == "true" }
      for part in ["extract colours", "number of colours", "frames a second", "lateness plot"] {
        try await window.wait("place") { _ in
          guard let place = window.newestPlace(of: part) else { return false }
          return place[0] >= 0 && place[0] + place[2] <= 640 && place[1] + place[3] <= 600
        }
      }
      try await window.wait("place") { _ in window.newestPlace(of: "Search page") == nil }
      try await window.screen.hand("key", "F9")
      try await window.click("Search page")
      try await window.wait("page") { $0["name"] == "search" }
    }

    @Test(
      "every page holds the smallest window: nothing reaches beyond it, it grows for none, and GTK has nothing to say",
      arguments: ["search", "thumbnails", "playback", "palette", "feed", "wallet"])
    func smallest(page: String) async throws {
      let window = try Window("--page", page, "--query", "actors")
      try await window.wait("search") { $0["phase"] == "loaded" }
      if page == "wallet" { try await window.wait("ledger") }
      // A table scrolls across.
      func isWithin(_ width: Double) -> Bool {
        window.newestPlaces.allSatisfy { $0 == "what the screen showed" || $1[0] >= 0 && $1[0] + $1[2] <= width }
      }
      try await window.wait("place") { _ in (window.newestPlace(of: "lateness plot")?[2] ?? 0) > 200 }
      for (width, height) in [(700, 620), (480, 420), (1000, 700), (480, 420)] {
        try await window.screen.hand(on: "Gallery", "windowsize", "\(width)", "\(height)")
        // The window's own edge is about five pixels wide.
        try await window.wait("place") { _ in isWithin(max(Double(width), 490)) }
      }
      let size = try await window.screen.size(of: "Gallery")
      #expect(size.width <= 490 && size.height <= 580, "\(size)")
      // Smaller than it can be: without a manager of windows, the screen lets it.
      for (width, height) in [(200, 200), (1000, 700)] {
        try await window.screen.hand(on: "Gallery", "windowsize", "\(width)", "\(height)")
      }
      try await window.wait("place") { _ in (window.newestPlace(of: "lateness plot")?[2] ?? 0) > 200 }
      try await window.screen.hand("key", "ctrl+q")
      #expect(try await window.end() == 0)
      #expect(window.notes == "")
    }

    @Test("a wallet whose accounts have the longest names keeps its page as wide as it is")
    func longNames() async throws {
      let folder = try Folder()
      let store = try await SQLiteJournalStore.open(path: folder.path("wallet.sqlite"))
      let wallet = try await WalletService.open(store: store, desk: ApprovalDesk(checker: LimitChecker()))
      for letter in ["W", "M"] {
        _ = try await wallet.openAccount(
          AccountID(String(repeating: letter, count: 64)), in: .euro, key: TransferKey("open-\(letter)"))
      }
      store.close()
      let window = try Window("--page", "wallet", in: folder)
      try await window.wait("ledger") { $0["lines"] == "2" }
      for width in [1000, 480] {
        try await window.screen.hand(on: "Gallery", "windowsize", "\(width)", "700")
        try await window.wait("place") { _ in
          ["sender", "recipient", "send", "amount"].allSatisfy { name in
            window.newestPlace(of: name).map { $0[0] + $0[2] <= max(Double(width), 490) } == true
          }
        }
      }
    }

    @Test("the main menu makes the window dark and light while it runs")
    func styled() async throws {
      let window = try Window()
      try await window.wait("library")
      let menu = try await window.place(of: "main menu")
      #expect(menu[0] > 700, "it is at the end of the header bar")
      for (name, steps, brightness) in [("dark", 2, 0.0...0.4), ("light", 1, 0.75...1.0)] {
        try await window.screen.hand("key", "F10")
        for _ in 0..<steps { try await window.screen.hand("key", "Down") }
        try await window.screen.hand("key", "Return")
        try await window.wait("style") { $0["name"] == name }
        while !brightness.contains(try await window.screen.measure("%[fx:mean]", of: Window.place)) {
          try await Task.sleep(for: .milliseconds(50))
        }
      }
    }
  }
}
