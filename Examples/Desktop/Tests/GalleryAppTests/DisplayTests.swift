/// A display that is not there, or not for long.
import Foundation
import Testing

extension OnScreen {
  @Suite("without a display")
  struct DisplayTests {
    @Test("a display that goes away takes the window with it, and nothing that was said to be saved")
    func gone() async throws {
      let window = try Window("--page", "playback")
      try await window.wait("playback") { $0["position"] == "0" }
      try await window.click("play or pause")
      let saved = try await window.wait("saved") { Int($0["position"] ?? "") ?? 0 >= 2 }
      window.screen.end()
      #expect(try await window.end() == 1, "GTK ends a program whose display is gone")
      #expect(window.notes.contains("gallery-window: the display is gone, and the window with it."))
      let next = try Window("--page", "playback", in: window.folder)
      let line = try await next.wait("playback")
      #expect(try #require(Int(line["position"] ?? "")) >= (try #require(Int(saved["position"] ?? ""))))
    }

    @Test("without a display it says so and what runs without one, and ends with 1")
    func noDisplay() throws {
      let process = Process()
      process.executableURL = try Window.program()
      process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]
      let errors = Pipe()
      process.standardError = errors
      try process.run()
      let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 1)
      #expect(text.contains("gallery-window: there is no display. Set DISPLAY or WAYLAND_DISPLAY"))
    }
  }
}
