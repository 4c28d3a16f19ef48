/// What playback remembers from one start of the application to the next.

public struct PlaybackSettings: Equatable, Sendable {
  /// How far the listener is, in steps of playback.
  public var position: Int

  public init(position: Int = 0) {
    self.position = position
  }
}

/// What a settings file held.
public struct LoadedSettings: Equatable, Sendable {
  public var settings = PlaybackSettings()
  /// What was wrong with the file and what was done about it; nil when nothing was.
  public var notice: String?
  /// False when a file that is not understood could not be kept aside. Saving would destroy it.
  public var canSave = true
}
