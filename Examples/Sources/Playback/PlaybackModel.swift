/// How far the listener is, and whether it goes on.
import Observation

@Observable
public final class PlaybackModel {
  /// How long one step of playback is.
  nonisolated public static let step: Duration = .milliseconds(250)
  /// How many steps there are: three minutes.
  nonisolated public static let end = 720

  public private(set) var position: Int
  public private(set) var isPlaying = false
  @ObservationIgnored private var ticking: Task<Void, Never>?

  /// - Parameter position: where to begin; one beyond the end becomes the end.
  public init(position: Int = 0) {
    self.position = Self.clamped(position)
  }

  deinit { ticking?.cancel() }

  /// Goes one step further every ``step``, until the end. From the end it begins anew.
  public func play() {
    guard !isPlaying else { return }
    if position == Self.end { position = 0 }
    isPlaying = true
    ticking = Task { [weak self] in
      while (try? await Task.sleep(for: Self.step)) != nil, let self, isPlaying { advance() }
    }
  }

  public func pause() {
    isPlaying = false
    ticking?.cancel()
    ticking = nil
  }

  /// Goes one step further; at the end, playback pauses.
  public func advance() {
    position = Self.clamped(position + 1)
    if position == Self.end { pause() }
  }

  public func seek(to position: Int) {
    self.position = Self.clamped(position)
  }

  /// The position now and after every job that changed it: what is changed in between was never shown, and does not come.
  public func positions() -> Observations<Int, Never> {
    Observations { self.position }
  }

  nonisolated private static func clamped(_ position: Int) -> Int { min(max(position, 0), end) }
}
