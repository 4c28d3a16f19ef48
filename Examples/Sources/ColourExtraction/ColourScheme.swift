/// The colours that stand for a picture.

public struct Colour: Hashable, Sendable, CustomStringConvertible {
  public let red: UInt8
  public let green: UInt8
  public let blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// `#1e90ff`.
  public var description: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// From 0 to 1, as bright as it looks: what decides whether text on it is black or white.
  public var luminance: Double {
    (0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)) / 255
  }
}

/// Some colours and how much of the picture each stands for, the largest first.
public struct ColourScheme: Equatable, Sendable {
  public struct Swatch: Equatable, Sendable {
    public let colour: Colour
    /// From 0 to 1; those of a scheme add up to 1.
    public let share: Double
  }

  public let swatches: [Swatch]
  /// The sum over all pixels of the squared distance to the colour that stands for it, in units of one 255th.
  public let squaredError: Double
}
