/// What tells the main actor of frames: a display's clock, or another.

public protocol FrameSource {
  /// As a report names it.
  var title: String { get }
  /// Frames a second.
  var hertz: Int { get }

  /// Makes frames, one an interval, until `draw` answers false.
  ///
  /// - Parameters:
  ///   - begin: the frame's own work. What it causes later on the main queue belongs to no frame.
  ///   - draw: the end of the frame, in the same turn of the main actor: what the state is now is on the screen.
  func run(begin: @escaping @MainActor () -> Void, draw: @escaping @MainActor () -> Bool) async throws
}
