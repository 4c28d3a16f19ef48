/// Why an amount is refused.

/// What reading an amount, or calculating with it, throws.
public enum MoneyError: Error, Sendable, Equatable {
  /// The text or number is no amount of the currency.
  case notAnAmount(String, Currency)
  /// It has more digits than the currency has minor units; it is not rounded.
  case tooFine(String, Currency)
  /// The result does not fit 64 bits.
  case overflow(String)
  /// Amounts of two currencies cannot be added.
  case otherCurrency(Money, Money)
  /// No such currency is known.
  case unknownCurrency(String)
}

extension MoneyError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAnAmount(let text, let currency):
      "\"\(text)\" is not an amount; write it with digits and a point, such as \(Money(minorUnits: 1_250, currency).number)"
    case .tooFine(let text, let currency):
      "\(text) is finer than \(currency) can be divided, and nothing is rounded here; "
        + "give at most \(currency.minorDigits) digits after the point"
    case .overflow(let what):
      "\(what) is more than a wallet can count; use a smaller amount"
    case .otherCurrency(let one, let other):
      "\(one) and \(other) are of different currencies; exchange one of them first"
    case .unknownCurrency(let code):
      "\"\(code)\" is not a currency that the wallet knows; use one of "
        + Currency.known.map(\.code).joined(separator: ", ")
    }
  }
}
