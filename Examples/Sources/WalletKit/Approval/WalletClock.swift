/// The time of day, as the wallet is told it.
import Foundation

/// Where the wallet reads the time, so that a test can set it.
public struct WalletClock: Sendable {
  private let read: @Sendable () -> Int64

  /// - Parameter milliseconds: the time in milliseconds since 1970-01-01 UTC.
  public init(milliseconds: @escaping @Sendable () -> Int64) {
    read = milliseconds
  }

  /// The system's clock.
  public static let system = WalletClock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Milliseconds since 1970-01-01 UTC.
  public var milliseconds: Int64 { read() }
  /// Whole seconds since 1970-01-01 UTC.
  public var seconds: Int64 { read() / 1_000 }
}
