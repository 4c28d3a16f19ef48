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
  /// The fingerprint of each picture that was imported.
  public private(set) var pictures: [UInt64] = []

  public init() {}

  public func importPicture(_ bytes: [UInt8]) {
    pictures.append(fingerprint(bytes))
  }
}

/// FNV-1a: each step needs the one before it, so that the time it takes grows with the bytes whatever the compiler does.
public func fingerprint(_ bytes: [UInt8]) -> UInt64 {
  bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}
