/// An amount of money in whole minor units, which cannot be rounded silently.

/// So many minor units of a currency.
///
/// Arithmetic is on integers and refuses to overflow. `Decimal` and text exist at the edges alone.
public struct Money: Sendable, Hashable {
  /// Cents of the euro, fils of the dinar; below zero for a difference.
  public let minorUnits: Int64
  public let currency: Currency

  public init(minorUnits: Int64, _ currency: Currency) {
    self.minorUnits = minorUnits
    self.currency = currency
  }

  public static func zero(_ currency: Currency) -> Money { Money(minorUnits: 0, currency) }

  /// The sum.
  ///
  /// - Throws: `MoneyError.otherCurrency`, `.overflow`.
  public func adding(_ other: Money) throws(MoneyError) -> Money {
    guard currency == other.currency else { throw .otherCurrency(self, other) }
    let (sum, overflow) = minorUnits.addingReportingOverflow(other.minorUnits)
    if overflow { throw .overflow("\(self) and \(other)") }
    return Money(minorUnits: sum, currency)
  }

  /// The difference; it may be below zero.
  ///
  /// - Throws: `MoneyError.otherCurrency`, `.overflow`.
  public func subtracting(_ other: Money) throws(MoneyError) -> Money {
    guard currency == other.currency else { throw .otherCurrency(self, other) }
    let (difference, overflow) = minorUnits.subtractingReportingOverflow(other.minorUnits)
    if overflow { throw .overflow("\(self) less \(other)") }
    return Money(minorUnits: difference, currency)
  }
}

extension Money: CustomStringConvertible {
  /// With all digits of the minor unit and a point: `12.30 EUR`, `5 JPY`.
  public var description: String { "\(number) \(currency.code)" }

  /// The amount without its currency, as ``init(parsing:_:)`` reads it.
  public var number: String {
    let digits = String(minorUnits.magnitude)
    let sign = minorUnits < 0 ? "-" : ""
    let places = Int(currency.minorDigits)
    if places == 0 { return sign + digits }
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
  }
}
