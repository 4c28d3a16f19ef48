/// How the colours of a palette are drawn: the closures that the stage calls off the main actor.
import ColourExtraction
import Foundation
import Stage

/// What the palette's view learns when its geometry changes.
nonisolated public struct PaletteGeometry: Hashable, Sendable {
  /// How wide one colour is, in pixels.
  public let swatchWidth: Double
  /// Whether a colour is wide enough for its name.
  public let hasRoomForNames: Bool
}

public final class PaletteScene {
  public typealias Closures = SceneClosures<PaletteGeometry>

  private let model: PaletteModel

  public init(of model: PaletteModel) {
    self.model = model
  }

  /// The closures for the frame that is due, with copies of the state as it is now.
  ///
  /// Naming `self.model.pulse` in one of them would not compile: they are `@Sendable`, and the model belongs to the main
  /// actor. The capture lists copy what each needs.
  public func closures() -> Closures {
    let count = model.scheme?.swatches.count ?? model.colourCount
    let pulse = model.pulse
    return Closures(
      path: { [pulse] size, time in Self.outline(in: size, time: pulse ? time : nil) },
      visualEffect: { [pulse] time in
        guard pulse else { return VisualEffect() }
        let beat = 0.5 + 0.5 * sin(2 * .pi * 1.2 * time)
        return VisualEffect(scale: 0.94 + 0.04 * beat, opacity: 0.5 + 0.3 * beat, blur: 2)
      },
      layout: { [count] size in EqualWidthLayout.frames(of: count, spacing: 8, in: size) },
      geometry: { [count] size, frames in
        let width = frames.first?.size.width ?? 0
        return PaletteGeometry(swatchWidth: width, hasRoomForNames: count > 0 && width >= 64)
      })
  }

  /// A rounded rectangle whose upper edge is a wave while there is a time.
  nonisolated private static func outline(in size: Size, time: Double?) -> [Point] {
    let radius = min(12, size.width / 2, size.height / 2)
    var points: [Point] = []
    let steps = 24
    for step in 0...steps {
      let x = radius + (size.width - 2 * radius) * Double(step) / Double(steps)
      let wave = time.map { 5 + 5 * sin(2 * .pi * ($0 + Double(step) / Double(steps))) } ?? 0
      points.append(Point(x: x, y: wave))
    }
    for (x, y, from) in [
      (size.width - radius, radius, -90.0), (size.width - radius, size.height - radius, 0),
      (radius, size.height - radius, 90), (radius, radius, 180),
    ] {
      for step in 0...6 {
        let angle = (from + 15 * Double(step)) * .pi / 180
        points.append(Point(x: x + radius * cos(angle), y: y + radius * sin(angle)))
      }
    }
    return points
  }
}
