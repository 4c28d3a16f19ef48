import Testing
import WalletKit

@Suite("What a wallet says")
struct WalletErrorTests {
  @Test("every error names what it is about, and the next step")
  func messages() throws {
    let (account, key, money) = (try AccountID("savings"), try TransferKey("t-1"), Money(minorUnits: 1_250, .euro))
    let errors: [(WalletError, String, String)] = [
      (.notAnAccountName("a b"), "\"a b\"", "use 1 to 64"), (.notAKey(""), "\"\"", "use 1 to 64"),
      (.unknownAccount(account), "savings", "open it first"), (.accountExists(account, .yen), "JPY", "choose another"),
      (.amountNotPositive(money), "12.50 EUR", "above zero"),
      (.amountTooLarge(money, largest: money), "12.50 EUR", "split it"),
      (.sameAccount(account), "savings", "choose two"),
      (.otherCurrency(money, account: account, .yen), "savings", "an amount in JPY"),
      (.insufficientFunds(account, available: .zero(.euro), needed: money), "0.00 EUR", "pay money in"),
      (.overflow(account, money), "savings", "transfer some"), (.keyReused(key), "t-1", "a new key"),
      (.notApproved(key, reason: "odd"), "odd", "before trying"),
      (.checkUnanswered(key), "t-1", "no money was moved"), (.checkUnanswered(key), "t-1", "repeat the transfer"),
      (.approvalExpired(key, milliseconds: 5), "5 ms", "again"),
      (.approvalForeign(key, reason: "odd"), "t-1", "have this transfer approved"),
      (.poisoned(cause: "full"), "full", "reload the wallet"), (.reloading, "read from its store", "repeat"),
      (.contended(key, attempts: 3), "3 times", "repeat it with its key"),
    ]
    for (error, thing, step) in errors {
      #expect(error.description.contains(thing))
      #expect(error.description.contains(step))
    }
  }

  @Test(
    "names that could be mistaken for others are refused",
    arguments: ["", "a b", "ä", "a/b", "a\n", String(repeating: "a", count: 65), "a,b", "а"])
  func names(name: String) {
    #expect(throws: WalletError.notAnAccountName(name)) { try AccountID(name) }
    #expect(throws: WalletError.notAKey(name)) { try TransferKey(name) }
  }
}
