/// Gallery in a window: the main thread belongs to GLib's loop, which serves the main actor.
import CAdwaita
import Foundation
import GLibMainActor

@main
struct GalleryApp {
  /// Synchronous: an async main would leave the main thread at its first suspension.
  static func main() {
    do {
      let options: AppOptions
      switch try AppOptions.parsed(Array(CommandLine.arguments.dropFirst())) {
      case .window(let asked): options = asked
      case .text(let text):
        print(text)
        exit(0)
      }
      guard gtk_init_check() != 0 else {
        refuse("there is no display. Set DISPLAY or WAYLAND_DISPLAY, or run a page as a command: gallery --help", 1)
      }
      if let trace = options.trace {
        guard let file = TraceFile(at: trace) else {
          refuse("\(trace) cannot be written. Name another with --trace.", 1)
        }
        Trace.file = file
      }
      try GLibMainActor.attach()
      sayWhenDisplayIsLost()
      let status = run(options)
      Trace.file?.finish()
      exit(status)
    } catch let error as AppUsageError {
      refuse("\(error)", 3)
    } catch {
      refuse("\(error)", 1)
    }
  }

  private static func run(_ options: AppOptions) -> Int32 {
    adw_init()
    Style.chosen(options.theme).apply()
    gallery_css(rules)
    guard let app = adw_application_new("org.mainstay.Gallery", G_APPLICATION_NON_UNIQUE) else { return 1 }
    var window: GalleryWindow?
    whenActivated(app) {
      guard window == nil else { return }
      window = GalleryWindow(app, options)
    }
    let status = gallery_run(app)
    return status != 0 ? status : window?.status ?? 0
  }

  /// A thumbnail has neither a shadow nor round corners: without a graphics card twenty of them are more to draw, at every
  /// frame that draws anything, than a frame has time for. A figure keeps its place when its digits change.
  private static let rules = """
    picture.thumbnail { background-color: alpha(currentColor, 0.08); }
    .numeric { font-feature-settings: "tnum"; }
    """

  /// GTK ends a program whose X server is gone, from within, and says nothing.
  private static func sayWhenDisplayIsLost() {
    gallery_on_lost_display { _ in
      GalleryApp.say("the display is gone, and the window with it. What was said to be saved is.")
      _exit(1)
    }
  }

  private static func refuse(_ problem: String, _ status: Int32) -> Never {
    say(problem)
    exit(status)
  }

  nonisolated private static func say(_ text: String) {
    FileHandle.standardError.write(Data("gallery-window: \(text)\n".utf8))
  }
}
