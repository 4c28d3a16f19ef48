/// Three layers, as isolation draws them: the screen's model, the wallet's rule, and what only does slow work.

/// A transfer's check and both of its changes happen together, with nothing in between.
@globalActor actor WalletActor { static let shared = WalletActor() }

@WalletActor
final class BalanceStore {
  private var balances: [String: Int] = [:]
  nonisolated init() {}
  func balance(of account: String) -> Int { balances[account] ?? 0 }
  func debit(_ amount: Int, from account: String) { balances[account, default: 0] -= amount }
  func credit(_ amount: Int, to account: String) { balances[account, default: 0] += amount }
}

@WalletActor
final class LedgerRepository {
  private var lines: [Int] = []
  nonisolated init() {}
  func record(_ amount: Int) { lines.append(amount) }
}

@WalletActor
final class WalletService {
  private let balances: BalanceStore
  private let ledger: LedgerRepository
  nonisolated init(balances: BalanceStore, ledger: LedgerRepository) {
    self.balances = balances
    self.ledger = ledger
  }
  func transfer(_ amount: Int, from sender: String, to recipient: String) {
    guard balances.balance(of: sender) >= amount else { return }
    balances.debit(amount, from: sender)
    balances.credit(amount, to: recipient)
    ledger.record(amount)
  }
}

struct FraudAPI: Sendable {
  func approve(_ amount: Int) async -> Bool {
    await Task.yield()
    return amount < 1_000
  }
}

struct NetworkClient: Sendable {
  func send(_ text: String) async { await Task.yield() }
}

@MainActor
final class WalletViewModel {
  private let service: WalletService
  private let fraud = FraudAPI()
  private(set) var isSending = false
  init(service: WalletService) { self.service = service }

  func sendTapped(_ amount: Int) {
    isSending = true
    Task {
      if await fraud.approve(amount) { await service.transfer(amount, from: "me", to: "you") }
      isSending = false
    }
  }
}
