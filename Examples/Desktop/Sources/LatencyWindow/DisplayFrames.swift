/// The frames of a window, as GTK's frame clock makes them.
import CAdwaita
import Dispatch
import FeedProbes

/// A frame begins with the clock's tick and is drawn by a widget of the window, which the tick has asked to be drawn anew.
/// Both are in one turn of GLib's loop, so that no main-actor job comes in between.
final class DisplayFrames: FrameSource {
  enum Problem: Error, CustomStringConvertible {
    case noFrames
    case closed

    var description: String {
      switch self {
      case .noFrames: "no frame was drawn for ten seconds. Is the window hidden? Without a display: --frames clock"
      case .closed: "the window was closed before the end"
      }
    }
  }

  let title = "GTK's frame clock"
  /// The display's; 60 until the clock has said another.
  private(set) var hertz = 60

  private let window: UnsafeMutablePointer<GtkWidget>
  private var callbacks: [AnyObject] = []
  private var begin: (() -> Void)?
  private var draw: (() -> Bool)?
  private var ended: CheckedContinuation<Void, any Error>?
  /// A frame was begun that is not drawn yet. Other drawings, such as those of a new size, are no frames.
  private var isBegun = false
  private var frames = 0

  init(_ app: UnsafeMutablePointer<AdwApplication>) {
    let ticked = FrameCallback()
    let drawn = DrawCallback()
    let area = gallery_drawing(callDraw, drawn.data)
    window = gallery_window(app, "Gallery: latency", area)
    gallery_size(window, 480, 160)
    ticked.body = { [unowned self] interval in
      if interval > 0 { hertz = Int((1_000_000 / Double(interval)).rounded()) }
      begin?()
      isBegun = true
      gallery_redraw(area)
    }
    drawn.body = { [unowned self] cairo, width, height in paint(cairo, width, height) }
    let closed = Callback { [unowned self] in finish(.failure(Problem.closed)) }
    callbacks = [ticked, drawn, closed]
    gallery_each_frame(window, callFrame, ticked.data)
    gallery_connect(window, "close-request", call, closed.data, nil)
    gallery_present(window)
  }

  /// Returns when the window is on the screen and its frames come one an interval.
  func settle() async throws {
    var left = 30
    try await run {
    } draw: {
      left -= 1
      return left > 0
    }
  }

  func run(begin: @escaping @MainActor () -> Void, draw: @escaping @MainActor () -> Bool) async throws {
    try await withCheckedThrowingContinuation { ended in
      self.ended = ended
      self.begin = begin
      self.draw = draw
      watch(after: frames)
    }
  }

  /// Ends the wait when no frame comes any more.
  private func watch(after seen: Int) {
    DispatchQueue.main.asyncAfter(deadline: .now() + 10) { [weak self] in
      MainActor.assumeIsolated {
        guard let self, self.ended != nil else { return }
        if self.frames == seen { self.finish(.failure(Problem.noFrames)) } else { self.watch(after: self.frames) }
      }
    }
  }

  private func finish(_ result: Result<Void, any Error>) {
    (begin, draw) = (nil, nil)
    ended?.resume(with: result)
    ended = nil
  }

  /// A block that moves with each frame, so that each has something to draw.
  private func paint(_ cairo: OpaquePointer, _ width: Double, _ height: Double) {
    let share = Double(frames % 120) / 119
    cairo_set_source_rgba(cairo, 0.21, 0.52, 0.89, 1)
    cairo_rectangle(cairo, share * (width - 40), height / 2 - 20, 40, 40)
    cairo_fill(cairo)
    guard isBegun else { return }
    isBegun = false
    frames += 1
    if let draw, !draw() { finish(.success(())) }
  }
}
