/// MISTAKE: one actor for the whole application. What has nothing to do with a transfer waits for it, and it for that.
import WalletKit

@globalActor
public actor AppActor {
  public static let shared = AppActor()
}

/// Transfers.
@AppActor
public final class AppWallet {
  private var balances: [AccountID: Int64]

  public init(_ balances: [AccountID: Int64]) { self.balances = balances }

  public func transfer(_ amount: Int64, from sender: AccountID, to recipient: AccountID) throws {
    guard balances[sender, default: 0] >= amount else { throw Refused() }
    balances[sender, default: 0] -= amount
    balances[recipient, default: 0] += amount
  }
}

/// Imports of pictures, which take their time.
@AppActor
public final class AppImporter {
  public private(set) var checksum: UInt64 = 0

  public init() {}

  /// Reads so many bytes, one after the other.
  public func importPicture(bytes: Int) {
    for byte in 0..<bytes { checksum = checksum &* 31 &+ UInt64(truncatingIfNeeded: byte) }
  }
}
