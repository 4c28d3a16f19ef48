/// A currency: its code and how finely it can be divided.

/// A currency of ISO 4217 that the wallet knows.
///
/// Small enough to travel with every amount: no text is kept, the code is packed into a number.
public struct Currency: Sendable, Hashable {
  private let packed: UInt32
  /// How many decimal digits the minor unit has: 2 for cents, 0 for yen.
  public let minorDigits: UInt8

  public static let euro = Currency("EUR", 2)
  public static let dollar = Currency("USD", 2)
  public static let yen = Currency("JPY", 0)
  public static let kuwaitiDinar = Currency("KWD", 3)

  /// Every currency that the wallet knows, by code.
  public static let known: [Currency] = [
    Currency("BHD", 3), Currency("CHF", 2), Currency("CZK", 2), Currency("DKK", 2), euro, Currency("GBP", 2),
    Currency("HUF", 2), yen, Currency("KRW", 0), kuwaitiDinar, Currency("NOK", 2), Currency("PLN", 2),
    Currency("SEK", 2), Currency("TND", 3), dollar,
  ]

  private init(_ code: StaticString, _ minorDigits: UInt8) {
    packed = code.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    self.minorDigits = minorDigits
  }

  /// The currency with this code.
  ///
  /// - Throws: `MoneyError.unknownCurrency`, which lists those that are known.
  public init(code: String) throws(MoneyError) {
    guard let currency = Self.known.first(where: { $0.code == code }) else {
      throw .unknownCurrency(code)
    }
    self = currency
  }

  /// Three capital letters, such as `EUR`.
  public var code: String {
    String(decoding: [UInt8(packed >> 16 & 0xff), UInt8(packed >> 8 & 0xff), UInt8(packed & 0xff)], as: UTF8.self)
  }

  /// How many minor units make one unit: 100 for cents.
  public var minorUnitsPerUnit: Int64 { (0..<minorDigits).reduce(1) { product, _ in product * 10 } }
}

extension Currency: CustomStringConvertible {
  public var description: String { code }
}
