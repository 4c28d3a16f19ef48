import Foundation
import Testing
import WalletKit

@Suite("Money")
struct MoneyTests {
  @Test(
    "amounts are read exactly, with as many digits as the currency has",
    arguments: [
      ("12.5", Currency.euro, Int64(1_250)), ("0.01", .euro, 1), ("-3", .euro, -300), ("7", .yen, 7),
      ("1.234", .kuwaitiDinar, 1_234), ("92233720368547758.07", .euro, .max), ("-92233720368547758.08", .euro, .min),
    ])
  func parsing(text: String, currency: Currency, minorUnits: Int64) throws {
    let money = try Money(parsing: text, currency)
    #expect(money.minorUnits == minorUnits)
    #expect(try Money(parsing: money.number, currency) == money, "what is written is read back")
  }

  @Test(
    "what is no amount is refused, and said",
    arguments: ["", "-", "1,5", "1.", ".5", "1e3", "12 EUR", "١٢", "0x10", "+1", "1.2.3", " 1", "nan"])
  func notAnAmount(text: String) {
    #expect(throws: MoneyError.notAnAmount(text, .euro)) { try Money(parsing: text, .euro) }
  }

  @Test("nothing is rounded silently: a finer amount is refused, as text and as Decimal")
  func tooFine() throws {
    #expect(throws: MoneyError.tooFine("0.001", .euro)) { try Money(parsing: "0.001", .euro) }
    #expect(throws: MoneyError.tooFine("1.5", .yen)) { try Money(parsing: "1.5", .yen) }
    let third = Decimal(1) / Decimal(3)
    #expect(throws: MoneyError.tooFine("\(third)", .euro)) { try Money(third, .euro) }
    #expect(throws: MoneyError.notAnAmount("NaN", .euro)) { try Money(Decimal.nan, .euro) }
  }

  @Test("overflow is refused wherever it arises")
  func overflow() throws {
    let most = Money(minorUnits: .max, .euro)
    let cent = Money(minorUnits: 1, .euro)
    #expect(throws: MoneyError.self) { try most.adding(cent) }
    #expect(throws: MoneyError.self) { try Money(minorUnits: .min, .euro).subtracting(cent) }
    #expect(throws: MoneyError.self) { try Money(parsing: "92233720368547758.08", .euro) }
    #expect(throws: MoneyError.self) { try Money(Decimal(string: "1e30") ?? 0, .euro) }
    #expect(try most.subtracting(cent).adding(cent) == most)
  }

  @Test("Decimal is exact in both directions, up to the largest amount")
  func decimal() throws {
    for minorUnits: Int64 in [0, 1, -1, 1_999, 123_456_789, .max, .min] {
      for currency in Currency.known {
        let money = Money(minorUnits: minorUnits, currency)
        #expect(try Money(money.decimal, currency) == money)
      }
    }
    #expect(try Money(Decimal(string: "12.50") ?? 0, .euro).description == "12.50 EUR")
  }

  @Test("currencies do not mix, and an unknown one is named with those that are known")
  func currencies() {
    #expect(throws: MoneyError.otherCurrency(.zero(.euro), .zero(.yen))) { try Money.zero(.euro).adding(.zero(.yen)) }
    #expect(throws: MoneyError.unknownCurrency("XYZ")) { try Currency(code: "XYZ") }
    #expect(MoneyError.unknownCurrency("XYZ").description.contains("EUR"))
    for currency in Currency.known { #expect((try? Currency(code: currency.code)) == currency) }
  }

  @Test(
    "amounts are written with all digits of the minor unit",
    arguments: [
      (Int64(5), Currency.euro, "0.05 EUR"), (-5, .euro, "-0.05 EUR"), (120, .euro, "1.20 EUR"), (0, .yen, "0 JPY"),
      (1, .kuwaitiDinar, "0.001 KWD"),
    ])
  func description(minorUnits: Int64, currency: Currency, text: String) {
    #expect(Money(minorUnits: minorUnits, currency).description == text)
  }
}
