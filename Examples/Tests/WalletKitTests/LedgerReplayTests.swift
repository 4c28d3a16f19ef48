import Testing
import WalletKit

@Suite("Replaying a ledger")
struct LedgerReplayTests {
  private let (a, b): (AccountID, AccountID)

  init() throws { (a, b) = (try AccountID("a"), try AccountID("b")) }

  private func entry(_ number: Int64, _ request: WalletRequest, _ balance: Int64, key: String? = nil) throws
    -> LedgerEntry
  {
    LedgerEntry(
      number: number, key: try TransferKey(key ?? "k\(number)"), request: request,
      balance: Money(minorUnits: balance, .euro), recordedAt: 0)
  }

  private func euro(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, .euro) }

  private func start() throws -> LedgerReplay {
    var replay = LedgerReplay()
    try replay.replay(entry(1, .open(a, .euro), 0))
    try replay.replay(entry(2, .open(b, .euro), 0))
    try replay.replay(entry(3, .deposit(euro(100), to: a), 100))
    return replay
  }

  @Test("balances follow from the lines")
  func balances() throws {
    var replay = try start()
    try replay.replay(entry(5, .transfer(Transfer(euro(30), from: a, to: b)), 70))
    #expect(replay.balances == [a: euro(70), b: euro(30)])
    let audit = replay.audit(against: [AccountBalance(a, euro(70)), AccountBalance(b, euro(30))])
    #expect(audit == LedgerAudit(entries: 4, accounts: 2, totals: [euro(100)], discrepancies: []))
  }

  @Test("a line that cannot follow those before it is named")
  func damage() throws {
    let start = try start()
    let bad: [(LedgerEntry, String)] = [
      (try entry(3, .deposit(euro(1), to: a), 101), "it follows line 3"),
      (try entry(4, .deposit(euro(1), to: a), 101, key: "k3"), "its key occurs twice"),
      (try entry(4, .deposit(euro(1), to: a), 100), "it says 1.00 EUR, and its past 1.01 EUR"),
      (try entry(4, .open(a, .euro), 0), "the account a exists already"),
      (try entry(4, .transfer(Transfer(euro(101), from: a, to: b)), -1), "a has 1.00 EUR and needs 1.01 EUR"),
      (try entry(4, .deposit(euro(0), to: a), 100), "0.00 EUR cannot be moved"),
      (try entry(4, .transfer(Transfer(euro(1), from: a, to: a)), 100), "a is sender and recipient"),
    ]
    for (line, reason) in bad {
      var replay = start
      let damage = #expect(throws: LedgerDamage.self) { try replay.replay(line) }
      #expect(damage?.reason.hasPrefix(reason) == true, "\(damage?.reason ?? "")")
      #expect(damage?.line == line.number)
    }
  }

  @Test("balances that do not follow from the ledger are listed, and so is a sum that nobody paid in")
  func discrepancies() throws {
    let audit = try start().audit(against: [AccountBalance(a, euro(90)), AccountBalance(try AccountID("c"), euro(-1))])
    #expect(
      audit.discrepancies == [
        "c is below zero: -0.01 EUR", "a has 0.90 EUR, and 1.00 EUR by the ledger",
        "b has no balance, and 0.00 EUR by the ledger", "c has -0.01 EUR, and nothing by the ledger",
        "the accounts hold 0.89 EUR, and 1.00 EUR was paid in",
      ])
  }
}
