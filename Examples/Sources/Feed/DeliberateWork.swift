/// Layout, decoding, whatever an application does for too long: here on purpose.

nonisolated public enum DeliberateWork {
  /// Keeps the calling thread busy.
  public static func take(_ length: Duration) {
    let end = ContinuousClock.now + length
    while ContinuousClock.now < end {}
  }
}
