/// What accounts and units of work are called.

/// An account's name: 1 to 64 letters, digits, points, hyphens or underscores.
public struct AccountID: Sendable, Hashable {
  public let name: String

  /// - Throws: `WalletError.notAnAccountName`.
  public init(_ name: String) throws(WalletError) {
    guard isName(name) else { throw .notAnAccountName(name) }
    self.name = name
  }
}

/// A client's name for one unit of work: 1 to 64 letters, digits, points, hyphens or underscores.
///
/// A client that does not know whether its transfer happened sends it again with the same key, and gets the receipt of
/// the first time.
public struct TransferKey: Sendable, Hashable {
  public let name: String

  /// - Throws: `WalletError.notAKey`.
  public init(_ name: String) throws(WalletError) {
    guard isName(name) else { throw .notAKey(name) }
    self.name = name
  }
}

/// ASCII alone, so that two names that look the same are the same, in every database.
private func isName(_ text: String) -> Bool {
  (1...64).contains(text.utf8.count)
    && text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
}

extension AccountID: CustomStringConvertible, Comparable {
  public var description: String { name }
  public static func < (one: AccountID, other: AccountID) -> Bool { one.name < other.name }
}

extension TransferKey: CustomStringConvertible {
  public var description: String { name }
}
