import Foundation
import Testing

extension OnScreen {
  /// The latency probe in a window, on a screen in memory. What it measures is a display's, so no figure of a way that hops
  /// is asserted here; what is applied in the same call is visible in its frame on any display.
  @Suite("of the latency probe")
  struct LatencyWindowTests {
    private struct Report: Decodable {
      struct Row: Decodable {
        var way: String
        var averageFramesLater: Double
        var applied: Int
        var shown: Int
        var merged: Int
        var inversions: Int
      }
      struct Run: Decodable {
        var hitches: Int
        var rows: [Row]
      }
      var schema: String
      var frameSource: String
      var hertz: Int
      var updates: Int
      var runs: [Run]
    }

    @Test("measures on GTK's frame clock, and says so; directly and asserted nothing is later or merged")
    func measures() async throws {
      let screen = try Screen()
      let outcome = try await Self.run(
        ["--updates", "24", "--hitch-every", "8", "--format", "json"], environment: screen.environment)
      #expect(outcome.status == 0, "\(outcome.notes)")
      let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
      #expect(report.schema == "gallery.latency/1" && report.updates == 24)
      #expect(report.frameSource == "GTK's frame clock" && report.hertz >= 30)
      #expect(report.runs.map(\.hitches) == [0, 3])
      for run in report.runs {
        #expect(run.rows.count == 5)
        for row in run.rows {
          #expect(row.shown + row.merged == 24)
          if row.way == "direct" || row.way == "asserted" {
            #expect(row.averageFramesLater == 0 && row.merged == 0 && row.applied == 24, "\(row)")
          } else {
            #expect(row.averageFramesLater >= 1, "\(row)")
          }
          if row.way == "hoppingEveryValue" { #expect(row.applied == 24 && row.inversions == 0) }
        }
      }
    }

    @Test("prints the table beside the article's figures")
    func table() async throws {
      let screen = try Screen()
      let outcome = try await Self.run(["--updates", "3", "--hitch-every", "0"], environment: screen.environment)
      #expect(outcome.status == 0, "\(outcome.notes)")
      #expect(outcome.output.hasPrefix("3 updates from C, one a frame at "))
      #expect(outcome.output.contains("frames from GTK's frame clock\n"))
      #expect(outcome.output.contains(#/\nasserted +0\.00 +0 +3 +0 +0 /#))
    }

    @Test("says what is wrong without a display, and with a command line that cannot be carried out")
    func refused() async throws {
      let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]
      let blind = try await Self.run([], environment: path)
      #expect(blind.status == 4)
      #expect(blind.notes.contains("gallery-latency: no display could be opened. Set DISPLAY or WAYLAND_DISPLAY"))
      let misuse = try await Self.run(["--hz", "30"], environment: path)
      #expect(misuse.status == 3)
      #expect(misuse.notes == "gallery-latency: there is no option --hz. See gallery-latency --help.\n")
      let help = try await Self.run(["--help"], environment: path)
      #expect(help.status == 0 && help.output.contains("USAGE: gallery-latency [OPTIONS]"))
    }

    private static func run(
      _ arguments: [String], environment: [String: String]
    ) async throws -> (status: Int32, output: String, notes: String) {
      let program = try Window.program().deletingLastPathComponent().appending(path: "gallery-latency")
      return try await withCheckedThrowingContinuation { continuation in
        // A thread that may wait: the pool's may not.
        Thread.detachNewThread {
          continuation.resume(
            with: Result {
              let process = Process()
              process.executableURL = program
              process.arguments = arguments
              process.environment = environment
              let (output, notes) = (Pipe(), Pipe())
              process.standardOutput = output
              process.standardError = notes
              try process.run()
              let printed = output.fileHandleForReading.readDataToEndOfFile()
              let noted = notes.fileHandleForReading.readDataToEndOfFile()
              process.waitUntilExit()
              return (
                process.terminationStatus, String(decoding: printed, as: UTF8.self),
                String(decoding: noted, as: UTF8.self)
              )
            })
        }
      }
    }
  }
}
