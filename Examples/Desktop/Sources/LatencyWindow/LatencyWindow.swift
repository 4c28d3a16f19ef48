/// `gallery-latency`: the latency probe of `gallery`, on a display's frame clock.
import CAdwaita
import FeedProbes
import Foundation
import GLibMainActor
import Terminal

@main
struct LatencyWindow {
  static let help = """
    OVERVIEW: Makes updates, one in each frame of a window, and prints how many frames later each way of delivery made them
    visible. "gallery probe latency" runs it when there is a display.

    USAGE: gallery-latency [OPTIONS]

    OPTIONS:
    \(LatencyOptions.list)
      --help                   print this

    Exit status: 0 measured, 1 failed, 3 bad usage, 4 no display could be opened.
    """

  /// Synchronous: an async main would leave the main thread, which GTK needs, at its first suspension.
  static func main() {
    do {
      var arguments = Arguments(Array(CommandLine.arguments.dropFirst()), of: "gallery-latency")
      guard let options = try LatencyOptions(&arguments, hasDisplay: true) else {
        print(help)
        exit(0)
      }
      guard gtk_init_check() != 0 else {
        refuse(
          "no display could be opened. Set DISPLAY or WAYLAND_DISPLAY, or: gallery probe latency --frames clock", 4)
      }
      try GLibMainActor.attach()
      exit(run(options))
    } catch let error as UsageError {
      refuse("\(error)", 3)
    } catch {
      refuse("\(error)", 1)
    }
  }

  private static func run(_ options: LatencyOptions) -> Int32 {
    adw_init()
    guard let app = adw_application_new("org.mainstay.GalleryLatency", G_APPLICATION_NON_UNIQUE) else { return 1 }
    var outcome: Int32?
    var frames: DisplayFrames?
    let activated = Callback {
      guard frames == nil else { return }
      let display = DisplayFrames(app)
      frames = display
      Task {
        outcome = await measure(options, display)
        gallery_quit(app)
      }
    }
    gallery_connect(app, "activate", call, activated.data, nil)
    let status = gallery_run(app)
    return withExtendedLifetime((activated, frames)) {
      guard status == 0 else { return status }
      // With its window the application is gone, and with it the loop that would have ended the measurement.
      if outcome == nil { write("\(DisplayFrames.Problem.closed)") }
      return outcome ?? 1
    }
  }

  private static func measure(_ options: LatencyOptions, _ frames: DisplayFrames) async -> Int32 {
    do {
      try await frames.settle()
      let report = try await LatencyMeasurement(options).report(from: frames)
      switch options.format {
      case .table: print(report.text(width: TerminalWidth.columns(of: STDOUT_FILENO)))
      case .json: print(try await report.json())
      }
      return 0
    } catch {
      write("\(error)")
      return 1
    }
  }

  private static func write(_ problem: String) {
    FileHandle.standardError.write(Data("gallery-latency: \(problem)\n".utf8))
  }

  private static func refuse(_ problem: String, _ status: Int32) -> Never {
    write(problem)
    exit(status)
  }
}
