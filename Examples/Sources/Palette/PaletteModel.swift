/// A picture, how many colours it shall have, and the colours found.
import ColourExtraction
import Foundation
import Mainstay
import Observation
import Pictures

@Observable
public final class PaletteModel {
  /// Where the colours are computed.
  nonisolated public enum Place: Equatable, Sendable {
    /// Off the main actor, where it costs no frame.
    case concurrent
    /// On the main actor: the mistake that this page lets one feel.
    case onMainActor
  }

  /// A picture that was opened.
  nonisolated public struct Opened: Sendable {
    /// Another one each time that a picture is opened.
    public let id: UUID
    public let name: String
    public let picture: Picture
  }

  public private(set) var opened: Opened?
  /// What a screen shows of a picture, in the size of ``room``, so that each of its pixels is one of the screen's: drawing
  /// twelve million, or making others of them, takes longer than a frame. That of a picture or a room before stays until
  /// the new one is there.
  public private(set) var preview: Picture?
  /// What room the screen has for the preview. May change with every frame.
  public var room = PictureRoom(width: 640, height: 480) {
    didSet { if room != oldValue { fit() } }
  }
  public private(set) var scheme: ColourScheme?
  /// What went wrong last, and what to do about it.
  public private(set) var problem: String?
  /// True while a picture is read and decoded.
  public private(set) var isOpening = false
  /// True while colours are computed.
  public private(set) var isExtracting = false
  /// True while the animation of waiting runs. It begins in the call that begins the work, and not after an await, so the
  /// next frame shows it.
  public private(set) var pulse = false
  public var place = Place.concurrent

  /// How many colours are asked for; it cannot be changed while they are computed.
  public private(set) var colourCount = 5
  /// Whether the slider can be moved.
  public var canChangeCount: Bool { !isExtracting }

  private let codec: any PictureCodec
  private let cache: SchemeCache
  private let extract: @Sendable (Picture, Int) -> ColourScheme
  @ObservationIgnored private let opening = LatestTask()
  @ObservationIgnored private var extraction: Task<Void, Never>?
  @ObservationIgnored private var fitting: Task<Void, Never>?
  /// - Parameters:
  ///   - codec: what decodes pictures.
  ///   - cache: where schemes are kept.
  ///   - extract: what computes a scheme, where it is called.
  public init(
    codec: any PictureCodec, cache: SchemeCache = SchemeCache(),
    extract: @escaping @Sendable (Picture, Int) -> ColourScheme = {
      SchemeExtractor.schemeComputedHere(of: $0, count: $1)
    }
  ) {
    self.codec = codec
    self.cache = cache
    self.extract = extract
  }

  deinit {
    extraction?.cancel()
    fitting?.cancel()
  }

  /// Opens a picture in place of the one that is open; when it cannot be opened, that one stays.
  public func open(_ file: PictureFile) {
    isOpening = true
    problem = nil
    opening.start { [codec] in
      try await Self.opened(file, by: codec)
    } apply: { [weak self] outcome in
      self?.show(outcome)
    }
  }

  /// - Parameter count: how many colours; a number out of range becomes the nearest in it. Ignored while colours are
  ///   computed.
  public func chooseCount(_ count: Int) {
    guard canChangeCount else { return }
    colourCount = min(max(count, SchemeExtractor.counts.lowerBound), SchemeExtractor.counts.upperBound)
  }

  /// Computes the colours, unless they are being computed or there is no picture.
  ///
  /// The model is busy and the pulse has begun when this returns.
  public func extractColours() {
    guard !isExtracting, let opened else { return }
    isExtracting = true
    pulse = true
    extraction = Task { [weak self, place, colourCount, cache, extract] in
      let key = SchemeCache.Key(picture: opened.id, count: colourCount)
      let scheme: ColourScheme
      switch place {
      case .concurrent: scheme = await Self.scheme(of: opened.picture, key, colourCount, cache, by: extract)
      case .onMainActor: scheme = Self.schemeHere(of: opened.picture, key, colourCount, cache, by: extract)
      }
      self?.show(scheme, of: opened)
    }
  }

  /// Returns when nothing is being opened or computed.
  public func settle() async {
    await opening.drain()
    while isExtracting, let extraction { await extraction.value }
    await fitting?.value
  }

  private func show(_ outcome: Result<Opened, any Error>) {
    isOpening = false
    switch outcome {
    case .success(let opened):
      self.opened = opened
      scheme = nil
      fit()
    case .failure(let error):
      problem = "\(error)"
    }
  }

  /// Makes the preview for the picture and the room of now, and again when they have changed meanwhile: one at a time,
  /// however often they change.
  private func fit() {
    guard fitting == nil else { return }
    fitting = Task { [weak self, codec] in
      var done: (UUID, PictureRoom)?
      while let (picture, room) = self?.shown, done.map({ $0 != (picture.id, room) }) ?? true {
        let preview = await Self.preview(of: picture.picture, in: room, by: codec)
        done = (picture.id, room)
        // One that is open no longer would be shown for a moment under the new one's name.
        if self?.opened?.id == picture.id { self?.preview = preview }
      }
      self?.fitting = nil
    }
  }

  /// What the preview shall show.
  private var shown: (Opened, PictureRoom)? { opened.map { ($0, room) } }

  /// The state goes back in one job with the result: no frame shows the one without the other.
  func show(_ scheme: ColourScheme, of picture: Opened) {
    isExtracting = false
    pulse = false
    // Another picture may have been opened meanwhile.
    if opened?.id == picture.id { self.scheme = scheme }
  }

  @concurrent
  private static func opened(_ file: PictureFile, by codec: any PictureCodec) async throws(PictureError) -> Opened {
    let picture = try await file.picture(by: codec)
    return Opened(id: UUID(), name: file.name, picture: picture)
  }

  @concurrent
  private static func preview(of picture: Picture, in room: PictureRoom, by codec: any PictureCodec) async -> Picture {
    let size = picture.size(filling: room)
    return codec.scaled(picture, width: size.width, height: size.height)
  }

  @concurrent
  private static func scheme(
    of picture: Picture, _ key: SchemeCache.Key, _ count: Int, _ cache: SchemeCache,
    by extract: @Sendable (Picture, Int) -> ColourScheme
  ) async -> ColourScheme {
    schemeHere(of: picture, key, count, cache, by: extract)
  }

  nonisolated private static func schemeHere(
    of picture: Picture, _ key: SchemeCache.Key, _ count: Int, _ cache: SchemeCache,
    by extract: (Picture, Int) -> ColourScheme
  ) -> ColourScheme {
    if let scheme = cache[key] { return scheme }
    let scheme = extract(picture, count)
    cache.keep(scheme, for: key)
    return scheme
  }
}
