/// Saves the position whenever it changes, and keeps a log of it.
import Observation
import PlaybackStore

@Observable
public final class PlaybackKeeper {
  /// Where saving waits for the disk.
  nonisolated public enum Place: Equatable, Sendable {
    /// Off the main actor, where the disk costs no frame.
    case concurrent
    /// On the main actor: the mistake that this page lets one feel.
    case onMainActor
  }

  nonisolated public struct Entry: Equatable, Sendable {
    public let position: Int
    /// Why it was not saved; nil when the disk has it.
    public let problem: String?
  }

  /// How many entries the log keeps.
  nonisolated public static let logLength = 100

  /// What was saved, the newest last.
  public private(set) var log: [Entry] = []
  /// What was wrong with the settings file when it was read.
  public let notice: String?
  public let model: PlaybackModel
  public var place: Place = .concurrent

  private let file: PlaybackFile
  private let canSave: Bool
  @ObservationIgnored private var keeping: Task<Void, Never>?
  /// The position that was read or asked to be saved last.
  @ObservationIgnored private var kept: Int

  /// - Parameters:
  ///   - file: where positions are saved.
  ///   - loaded: what it held.
  public init(file: PlaybackFile, loaded: LoadedSettings) {
    self.file = file
    notice = loaded.notice
    canSave = loaded.canSave
    let model = PlaybackModel(position: loaded.settings.position)
    self.model = model
    kept = model.position
  }

  deinit { keeping?.cancel() }

  /// Reads the file off the main actor, and begins to keep it.
  public static func opened(_ file: PlaybackFile) async -> PlaybackKeeper {
    let keeper = PlaybackKeeper(file: file, loaded: await file.load())
    keeper.start()
    return keeper
  }

  /// Saves the positions of the model from now on, one after the other.
  ///
  /// While one is being saved, newer ones replace each other: the disk is asked for the newest, and never for an older
  /// one after a newer one.
  public func start() {
    guard keeping == nil else { return }
    let positions = model.positions()
    keeping = Task { [weak self] in
      for await position in positions {
        guard let self else { return }
        await keep(position)
      }
    }
  }

  /// Saves the newest position and keeps no more of them.
  public func stop() async {
    keeping?.cancel()
    await keeping?.value
    keeping = nil
    await keep(model.position)
  }

  private func keep(_ position: Int) async {
    guard position != kept else { return }
    kept = position
    let entry = Entry(position: position, problem: await problemSaving(PlaybackSettings(position: position)))
    if log.count == Self.logLength { log.removeFirst() }
    log.append(entry)
  }

  private func problemSaving(_ settings: PlaybackSettings) async -> String? {
    guard canSave else { return notice }
    do throws(PlaybackFileError) {
      switch place {
      case .concurrent: try await file.save(settings)
      case .onMainActor: try file.saveHere(settings)
      }
      return nil
    } catch {
      return "\(error)"
    }
  }
}
