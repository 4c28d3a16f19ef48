/// Computes what a view shows off the main actor, and applies it at the next frame.

/// What the closures of a scene answered.
public struct SceneResult<Geometry: Hashable & Sendable>: Sendable {
  /// The size that the scene was computed for.
  public let size: Size
  /// One outline for each frame.
  public let outlines: [[Point]]
  public let frames: [Frame]
  public let effect: VisualEffect
  public let geometry: Geometry
}

/// The framework's side of a view whose closures run off the main actor.
///
/// Once a frame the view hands over its closures, with copies of what they need, and gets what those of an earlier frame
/// answered. One scene is computed at a time; while it is, newer ones replace each other, so a slow closure makes an
/// animation coarser and never the main actor late.
@MainActor
public final class Stage<Geometry: Hashable & Sendable> {
  public typealias Closures = SceneClosures<Geometry>

  private struct Request {
    let closures: Closures
    let size: Size
    let time: Double
  }

  /// What was applied last; nil before the first frame.
  public private(set) var current: SceneResult<Geometry>?
  private var finished: SceneResult<Geometry>?
  private var waiting: Request?
  private var computing: Task<Void, Never>?
  private let geometryChanged: @MainActor (Geometry) -> Void

  /// - Parameter geometryChanged: called at the frame that applies another geometry than the one before.
  public init(geometryChanged: @escaping @MainActor (Geometry) -> Void) {
    self.geometryChanged = geometryChanged
  }

  deinit { computing?.cancel() }

  /// Call it once a frame.
  ///
  /// - Returns: true when there is something new to draw.
  public func frame(_ closures: Closures, size: Size, time: Double) -> Bool {
    let isNew = apply()
    waiting = Request(closures: closures, size: size, time: time)
    compute()
    return isNew
  }

  /// Returns when nothing is being computed or waiting for it. What was computed is applied at the next frame.
  public func settle() async {
    while let computing { await computing.value }
  }

  private func apply() -> Bool {
    guard let finished else { return false }
    self.finished = nil
    let before = current?.geometry
    current = finished
    if finished.geometry != before { geometryChanged(finished.geometry) }
    return true
  }

  private func compute() {
    guard computing == nil, let request = waiting else { return }
    waiting = nil
    computing = Task { [weak self] in
      let result = await Self.result(of: request)
      guard let self else { return }
      finished = result
      computing = nil
      compute()
    }
  }

  /// Leaves the main actor: this is where the closures run.
  @concurrent
  private static func result(of request: Request) async -> SceneResult<Geometry> {
    let frames = request.closures.layout(request.size)
    return SceneResult(
      size: request.size, outlines: frames.map { request.closures.path($0.size, request.time) }, frames: frames,
      effect: request.closures.visualEffect(request.time),
      geometry: request.closures.geometry(request.size, frames))
  }
}
