/// What turns the bytes of a file into a picture, whoever's code does it.
import Foundation

/// Belongs to no actor. Each call takes milliseconds of computing where it is called: an actor with a frame budget calls
/// it from a `@concurrent` function.
public protocol PictureCodec: Sendable {
  /// - Parameter name: what messages call it.
  func picture(from bytes: Data, name: String) throws(PictureError) -> Picture
  /// The picture within a square of `side`, itself when it is smaller.
  func scaled(_ picture: Picture, within side: Int) -> Picture
  /// The picture in a size of its own, also a larger one; itself when there is no memory for that.
  func scaled(_ picture: Picture, width: Int, height: Int) -> Picture
}

/// Why there is no picture.
public enum PictureError: Error, Equatable, CustomStringConvertible {
  /// The most pixels that are decoded: more would take gigabytes.
  public static let mostPixels = 100_000_000
  /// The most bytes that are read.
  public static let mostBytes = 256 << 20

  case unreadable(name: String, reason: String)
  case empty(name: String)
  case tooLong(name: String)
  case notAPicture(name: String)
  case damaged(name: String, reason: String)
  case tooLarge(name: String, width: Int, height: Int)

  public var description: String {
    switch self {
    case .unreadable(let name, let reason): "\(name) cannot be read: \(reason)."
    case .empty(let name): "\(name) is empty. Choose a PNG or JPEG picture."
    case .tooLong(let name): "\(name) is longer than \(Self.mostBytes >> 20) MB. Choose a smaller one."
    case .notAPicture(let name): "\(name) is no picture that is known here. Choose a PNG or JPEG picture."
    case .damaged(let name, let reason): "\(name) is damaged: \(reason). Choose another picture."
    case .tooLarge(let name, let width, let height):
      "\(name) is \(width) × \(height) pixels, more than the \(Self.mostPixels / 1_000_000) million that are opened."
        + " Make it smaller first."
    }
  }
}
