/// What a view hands to the stage instead of its own state.

/// How what is drawn is changed on its way to the screen.
public struct VisualEffect: Hashable, Sendable {
  /// 1 leaves the size as it is.
  public var scale: Double
  /// From 0, invisible, to 1.
  public var opacity: Double
  /// The radius, in pixels; 0 is sharp.
  public var blur: Double

  public init(scale: Double = 1, opacity: Double = 1, blur: Double = 0) {
    self.scale = scale
    self.opacity = opacity
    self.blur = blur
  }
}

/// Four closures of a scene. Each is `@Sendable`: it is called off the main actor, cannot reach the view's state there,
/// and has what it needs from its capture list, as copies from the moment the scene was handed over.
///
/// - Important: A closure that names `self.pulse` does not compile; one that captures `[pulse]` does.
public struct SceneClosures<Geometry: Hashable & Sendable>: Sendable {
  /// The outline of what fills a place of this size, at a time in seconds.
  public var path: @Sendable (_ size: Size, _ time: Double) -> [Point]
  /// What to do with what is drawn, at a time in seconds.
  public var visualEffect: @Sendable (_ time: Double) -> VisualEffect
  /// Where the parts of the scene go.
  public var layout: @Sendable (_ size: Size) -> [Frame]
  /// What of the geometry the view wants to know of when it changes.
  public var geometry: @Sendable (_ size: Size, _ frames: [Frame]) -> Geometry

  public init(
    path: @escaping @Sendable (_ size: Size, _ time: Double) -> [Point],
    visualEffect: @escaping @Sendable (_ time: Double) -> VisualEffect,
    layout: @escaping @Sendable (_ size: Size) -> [Frame],
    geometry: @escaping @Sendable (_ size: Size, _ frames: [Frame]) -> Geometry
  ) {
    self.path = path
    self.visualEffect = visualEffect
    self.layout = layout
    self.geometry = geometry
  }
}

/// Places of equal width beside each other, as wide as they can be.
public enum EqualWidthLayout {
  /// - Parameters:
  ///   - count: how many parts.
  ///   - spacing: between two of them.
  ///   - size: what they share.
  public static func frames(of count: Int, spacing: Double, in size: Size) -> [Frame] {
    guard count > 0 else { return [] }
    let width = max(0, (size.width - spacing * Double(count - 1)) / Double(count))
    return (0..<count).map { index in
      Frame(
        origin: Point(x: Double(index) * (width + spacing), y: 0), size: Size(width: width, height: max(0, size.height))
      )
    }
  }
}
