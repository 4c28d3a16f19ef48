import Broken
import Foundation
import Testing
import WalletKit

/// The article's mistakes do what the article says. What the audit says of them is in `AuditTests`.
@Suite("The article's mistakes", .timeLimit(.minutes(30)))
struct MistakesTests {
  private let (a, b): (AccountID, AccountID)

  init() throws { (a, b) = (try AccountID("a"), try AccountID("b")) }

  @Test("a failing second step loses what the first took, because an actor is no transaction")
  func unprotected() async throws {
    let wallet = await UnprotectedWallet([a: 1_000, b: 900], largest: 1_000)
    await #expect(throws: Refused.self) { try await wallet.transfer(200, from: a, to: b) }
    #expect(await wallet.total == 1_700)
  }

  @Test("a task in a unit of work runs although the unit was taken back")
  func hasty() async throws {
    let wallet = await HastyWallet(balance: 1_000, limit: 100)
    await #expect(throws: Refused.self) { try await wallet.pay(500, key: TransferKey("t")) }
    while await wallet.told.isEmpty { await Task.yield() }
    #expect(await wallet.told == [500])
  }
}
