/// PNG and JPEG, by the platform's own decoders.
import CPictures
import Foundation
import Pictures

public struct PixbufCodec: PictureCodec {
  public enum Format: String, Sendable {
    case png
    case jpeg
  }

  public init() {}

  public func picture(from bytes: Data, name: String) throws(PictureError) -> Picture {
    guard !bytes.isEmpty else { throw .empty(name: name) }
    var picture = gallery_picture()
    var reason = [CChar](repeating: 0, count: 256)
    let status = bytes.withUnsafeBytes { bytes in
      gallery_picture_decode(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, Int64(PictureError.mostPixels), &picture,
        &reason, reason.count)
    }
    switch status {
    case gallery_picture_ok: return Self.taken(picture)
    case gallery_picture_unknown: throw .notAPicture(name: name)
    case gallery_picture_too_large:
      throw .tooLarge(name: name, width: Int(picture.width), height: Int(picture.height))
    default:
      let text = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw .damaged(name: name, reason: text.isEmpty ? "it ends too early" : text)
    }
  }

  public func scaled(_ picture: Picture, within side: Int) -> Picture {
    let size = picture.size(within: side)
    return size == (picture.width, picture.height) ? picture : scaled(picture, width: size.width, height: size.height)
  }

  public func scaled(_ picture: Picture, width: Int, height: Int) -> Picture {
    Self.borrowing(picture) { source in
      let scaled = gallery_picture_scaled(source, Int32(width), Int32(height))
      return scaled.pixels == nil ? picture : Self.taken(scaled)
    }
  }

  /// - Returns: nothing when there is no memory for it.
  public func encoded(_ picture: Picture, as format: Format) -> Data {
    Self.borrowing(picture) { source in
      var bytes: UnsafeMutablePointer<UInt8>?
      let count = gallery_picture_encode(source, format.rawValue, &bytes)
      guard count > 0, let bytes else { return Data() }
      return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }
  }

  /// The C functions only read what they are given.
  private static func borrowing<Value>(_ picture: Picture, _ body: (UnsafePointer<gallery_picture>) -> Value) -> Value {
    picture.pixels.withUnsafeBufferPointer { pixels in
      var source = gallery_picture(
        width: Int32(picture.width), height: Int32(picture.height),
        pixels: UnsafeMutablePointer(mutating: pixels.baseAddress))
      return body(&source)
    }
  }

  private static func taken(_ picture: gallery_picture) -> Picture {
    let count = 3 * Int(picture.width) * Int(picture.height)
    defer { free(picture.pixels) }
    return Picture(
      width: Int(picture.width), height: Int(picture.height),
      pixels: Array(UnsafeBufferPointer(start: picture.pixels, count: count)))
  }
}
