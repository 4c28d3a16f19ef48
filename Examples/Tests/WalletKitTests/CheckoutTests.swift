import Patience
import Testing
import WalletKit

@Suite("The checkout's domain", .patient, .timeLimit(.minutes(10)))
struct CheckoutTests {
  private let desk = ApprovalDesk(checker: LimitChecker())
  private let (customer, shop): (AccountID, AccountID)

  init() throws { (customer, shop) = (try AccountID("customer"), try AccountID("shop")) }

  private func wallet(_ cents: Int64) async throws -> WalletService {
    let wallet = try await WalletService.open(desk: desk)
    for account in [customer, shop] {
      _ = try await wallet.openAccount(account, in: .euro, key: TransferKey("open-\(account)"))
    }
    _ = try await wallet.deposit(Money(minorUnits: cents, .euro), to: customer, key: TransferKey("fund"))
    return wallet
  }

  private func order(_ lines: [OrderLine], _ cents: Int64 = 500) -> Order {
    Order(lines, price: Money(minorUnits: cents, .euro), customer: customer, shop: shop)
  }

  @Test("the lines of an order are set aside together or not at all")
  func together() async throws {
    let checkout = await CheckoutService(stock: ["tea": 5, "cup": 1])
    let key = try TransferKey("o")
    await #expect(throws: CheckoutError.outOfStock("cup", available: 1, wanted: 2)) {
      try await checkout.reserve(order([OrderLine(3, "tea"), OrderLine(2, "cup")]), key: key)
    }
    #expect(await checkout.stock(of: "tea") == 5)
    try await checkout.reserve(order([OrderLine(3, "tea"), OrderLine(1, "cup")]), key: key)
    try await checkout.reserve(order([OrderLine(3, "tea"), OrderLine(1, "cup")]), key: key)
    #expect(await checkout.stock(of: "tea") == 2, "the same key does it once")
    await #expect(throws: CheckoutError.keyReused(key)) {
      try await checkout.reserve(order([OrderLine(1, "tea")]), key: key)
    }
    let other = try TransferKey("p")
    await #expect(throws: CheckoutError.emptyOrder(other)) { try await checkout.reserve(order([]), key: other) }
    await #expect(throws: CheckoutError.notACount("tea", -1)) {
      try await checkout.reserve(order([OrderLine(-1, "tea")]), key: other)
    }
  }

  @Test("a paid order keeps its goods, and a second call with its key answers with the same payment")
  func paid() async throws {
    let wallet = try await wallet(500)
    let checkout = await CheckoutService(stock: ["tea": 5])
    let key = try TransferKey("o")
    let state = try await checkout.buy(order([OrderLine(2, "tea")]), key: key, wallet: wallet, desk: desk)
    #expect(try await checkout.buy(order([OrderLine(2, "tea")]), key: key, wallet: wallet, desk: desk) == state)
    #expect(await checkout.stock(of: "tea") == 3)
    #expect(try await wallet.balance(of: shop).minorUnits == 500)
  }

  @Test("an order that the wallet refuses puts its goods back")
  func released() async throws {
    let wallet = try await wallet(499)
    let checkout = await CheckoutService(stock: ["tea": 5])
    let key = try TransferKey("o")
    await #expect(throws: WalletError.self) {
      try await checkout.buy(order([OrderLine(2, "tea")]), key: key, wallet: wallet, desk: desk)
    }
    #expect(await checkout.stock(of: "tea") == 5)
    #expect(await checkout.state(of: key) == .released)
  }

  @Test("many customers and little stock: no more is sold than there was, and each sale is paid once")
  func oversold() async throws {
    let wallet = try await wallet(1_000_000)
    let checkout = await CheckoutService(stock: ["tea": 10])
    let (desk, order) = (desk, order([OrderLine(1, "tea")]))
    let sold = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        let key = try TransferKey("o\(number)")
        group.addTask {
          do {
            if case .paid = try await checkout.buy(order, key: key, wallet: wallet, desk: desk) { return true }
            return false
          } catch is CheckoutError {
            return false
          }
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(sold == 10)
    #expect(await checkout.stock(of: "tea") == 0)
    #expect(try await wallet.balance(of: shop).minorUnits == 5_000)
  }
}
