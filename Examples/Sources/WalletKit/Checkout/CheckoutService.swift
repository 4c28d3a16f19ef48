/// Orders: taken from stock together or not at all, then paid through the wallet.
import Mainstay

/// So many of an article.
public struct OrderLine: Sendable, Hashable {
  public var article: String
  public var quantity: Int

  public init(_ quantity: Int, _ article: String) {
    self.article = article
    self.quantity = quantity
  }
}

/// What a customer wants, and what it costs.
public struct Order: Sendable, Hashable {
  public var lines: [OrderLine]
  public var price: Money
  public var customer: AccountID
  public var shop: AccountID

  public init(_ lines: [OrderLine], price: Money, customer: AccountID, shop: AccountID) {
    self.lines = lines
    self.price = price
    self.customer = customer
    self.shop = shop
  }
}

/// How far an order is.
public enum OrderState: Sendable, Hashable {
  /// Its goods are set aside.
  case reserved
  case paid(LedgerEntry)
  /// It was not paid, and its goods are back in stock.
  case released
}

/// Why an order is refused.
public enum CheckoutError: Error, Sendable, Equatable, CustomStringConvertible {
  case emptyOrder(TransferKey)
  case notACount(String, Int)
  case outOfStock(String, available: Int, wanted: Int)
  case keyReused(TransferKey)
  /// Another call pays it just now.
  case beingPaid(TransferKey)

  public var description: String {
    switch self {
    case .emptyOrder(let key): "the order \(key) has no lines; put an article into it"
    case .notACount(let article, let quantity): "\(quantity) of \(article) cannot be ordered; order at least one"
    case .outOfStock(let article, let available, let wanted):
      "\(wanted) of \(article) were ordered, and \(available) are in stock; order less or wait for the next delivery"
    case .beingPaid(let key): "the order \(key) is being paid; ask again when that call has returned"
    case .keyReused(let key): "the key \(key) was used before for another order; a new order needs a new key"
    }
  }
}

/// What is in stock.
@CheckoutActor
final class Inventory {
  private(set) var stock: [String: Int]

  init(_ stock: [String: Int]) { self.stock = stock }

  func take(_ line: OrderLine) throws(CheckoutError) {
    guard line.quantity > 0 else { throw .notACount(line.article, line.quantity) }
    let available = stock[line.article, default: 0]
    guard available >= line.quantity else {
      throw .outOfStock(line.article, available: available, wanted: line.quantity)
    }
    stock[line.article] = available - line.quantity
  }

  func putBack(_ line: OrderLine) { stock[line.article, default: 0] += line.quantity }
}

/// Which orders there are.
@CheckoutActor
final class OrderBook {
  private(set) var states: [TransferKey: OrderState] = [:]

  func set(_ state: OrderState?, of key: TransferKey) { states[key] = state }
}

/// The checkout: reserve, pay, confirm or release.
@CheckoutActor
public final class CheckoutService {
  private let inventory: Inventory
  private let orders = OrderBook()
  private let journal = Journal<TransferKey, Order, Int>()
  /// Orders whose payment is under way.
  private var paying: Set<TransferKey> = []

  public init(stock: [String: Int]) { inventory = Inventory(stock) }

  public func stock(of article: String) -> Int { inventory.stock[article, default: 0] }
  public func state(of key: TransferKey) -> OrderState? { orders.states[key] }

  /// Sets the goods of an order aside, all of them or none. The same key does it once.
  ///
  /// - Throws: `CheckoutError`; nothing is set aside then.
  public func reserve(_ order: Order, key: TransferKey) throws {
    do {
      try journal.perform(id: key, order) { undo in
        guard !order.lines.isEmpty else { throw CheckoutError.emptyOrder(key) }
        for line in order.lines {
          try inventory.take(line)
          undo.onRollback { self.inventory.putBack(line) }
        }
        orders.set(.reserved, of: key)
        return order.lines.count
      }
    } catch JournalError.keyReused {
      throw CheckoutError.keyReused(key)
    }
  }

  /// Buys: sets the goods aside, has them paid for through the wallet, and then keeps or returns them.
  ///
  /// The wait is outside of the domain, between two whole steps in it. The same key never pays twice: an order that is
  /// paid, or was released, answers with its state. When it is not known whether the payment happened, the goods stay
  /// aside, and the same key settles it.
  ///
  /// - Throws: `CheckoutError`, and what the wallet throws.
  @concurrent
  public nonisolated func buy(
    _ order: Order, key: TransferKey, wallet: some TransferStore, desk: ApprovalDesk
  ) async throws -> OrderState {
    try await reserve(order, key: key)
    if let settled = try await begin(key) { return settled }
    let payment = Transfer(order.price, from: order.customer, to: order.shop)
    do {
      // Nothing that was read decides here: goods are put back that were taken, by as many, once for each key.
      return await end(order, key, .paid(try await wallet.performTransfer(payment, key: key, desk: desk)))
    } catch let error as WalletError where !error.isRetryable {
      await end(order, key, .released)
      throw error
    } catch {
      await end(order, key, .reserved)
      throw error
    }
  }

  /// Says that this call pays an order whose goods are set aside.
  ///
  /// - Returns: the state of an order that is settled already, and then this call does not pay.
  private func begin(_ key: TransferKey) throws(CheckoutError) -> OrderState? {
    if let state = orders.states[key], state != .reserved { return state }
    guard paying.insert(key).inserted else { throw CheckoutError.beingPaid(key) }
    return nil
  }

  /// What came of the payment; goods that were refused go back.
  @discardableResult
  private func end(_ order: Order, _ key: TransferKey, _ state: OrderState) -> OrderState {
    // Only the call that began pays, and it ends once.
    guard paying.contains(key), orders.states[key] == .reserved else { return orders.states[key] ?? state }
    paying.remove(key)
    if state == .released {
      for line in order.lines { inventory.putBack(line) }
    }
    orders.set(state, of: key)
    return state
  }
}
