/// Where amounts enter and leave the wallet: text and `Decimal`.
import Foundation

extension Money {
  /// Reads what a person wrote: digits, and after a point at most as many as the currency has.
  ///
  /// - Throws: `MoneyError.notAnAmount`, `.tooFine`, `.overflow`.
  public init(parsing text: String, _ currency: Currency) throws(MoneyError) {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy { (48...57).contains($0) } }
    guard areDigits, (1...2).contains(parts.count) else { throw .notAnAmount(text, currency) }
    let places = Int(currency.minorDigits)
    let fraction = parts.count == 2 ? parts[1] : ""
    guard fraction.count <= places else { throw .tooFine(text, currency) }
    var minorUnits: Int64 = 0
    for digit in "\(parts[0])\(fraction)\(String(repeating: "0", count: places - fraction.count))".utf8 {
      let (product, isTooLarge) = minorUnits.multipliedReportingOverflow(by: 10)
      // Towards the sign, so that the least amount can be read as well.
      let value = Int64(digit) - 48
      let (sum, isTooMuch) =
        isNegative ? product.subtractingReportingOverflow(value) : product.addingReportingOverflow(value)
      if isTooLarge || isTooMuch { throw .overflow("\(text) \(currency)") }
      minorUnits = sum
    }
    self.init(minorUnits: minorUnits, currency)
  }

  /// Takes an amount from code that calculates in `Decimal`. Nothing is rounded.
  ///
  /// - Throws: `MoneyError.notAnAmount`, `.tooFine`, `.overflow`.
  public init(_ decimal: Decimal, _ currency: Currency) throws(MoneyError) {
    guard decimal.isFinite else { throw .notAnAmount("\(decimal)", currency) }
    var scaled = decimal * Decimal(currency.minorUnitsPerUnit)
    guard scaled >= Decimal(Int64.min), scaled <= Decimal(Int64.max) else { throw .overflow("\(decimal) \(currency)") }
    var whole = Decimal()
    NSDecimalRound(&whole, &scaled, 0, .plain)
    guard whole == scaled, whole / Decimal(currency.minorUnitsPerUnit) == decimal else {
      throw .tooFine("\(decimal)", currency)
    }
    // Through text: a `Decimal` of nineteen digits does not fit a `Double`, through which `NSDecimalNumber` may go.
    guard let minorUnits = Int64("\(whole)") else { throw .overflow("\(decimal) \(currency)") }
    self.init(minorUnits: minorUnits, currency)
  }

  /// The exact amount in units.
  public var decimal: Decimal { Decimal(minorUnits) / Decimal(currency.minorUnitsPerUnit) }
}
