/// The catalogue that the application opens when it starts.
import Catalogue
import Mainstay
import Observation

@Observable
public final class LibraryModel {
  /// Where the catalogue is decoded.
  nonisolated public enum Decoding: Equatable, Sendable {
    /// Off the main actor, where half a second costs no frame.
    case concurrent
    /// On the main actor: the mistake that this example exists to show.
    case onMainActor
  }

  nonisolated public enum Phase: Sendable {
    case closed
    case opening(path: String)
    case open(Catalogue)
    case failed(CatalogueError)
  }

  public private(set) var phase: Phase = .closed
  @ObservationIgnored private let latest = LatestTask()

  public init() {}

  /// Opens a catalogue in place of the one that is open or being opened; the phase has changed when this returns.
  public func open(_ file: CatalogueFile, decoding: Decoding = .concurrent) {
    phase = .opening(path: file.path)
    latest.start {
      await Self.opened(file, decoding: decoding)
    } apply: { [weak self] outcome in
      if case .success(let phase) = outcome { self?.phase = phase }  // `opened` fails in its phase
    }
  }

  /// Returns when no catalogue is being opened, neither the newest nor one it superseded, also when others are opened
  /// meanwhile.
  public func settle() async {
    await latest.drain()
  }

  private static func opened(_ file: CatalogueFile, decoding: Decoding) async -> Phase {
    do {
      return .open(try await catalogue(in: file, decoding: decoding))
    } catch {
      return .failed(error)
    }
  }

  private static func catalogue(in file: CatalogueFile, decoding: Decoding) async throws(CatalogueError) -> Catalogue {
    switch decoding {
    case .concurrent:
      return try await file.catalogue()
    case .onMainActor:
      let data = try await file.contents()
      let articles = try file.articlesDecodedHere(from: data)
      return await Catalogue.indexing(articles)
    }
  }
}
