/// Transfers that are the same whenever they are made with the same seed.
import WalletKit

/// A list of random transfers that nobody has to keep: each is made from the seed and its place.
///
/// A client that was killed starts again with the same seed, sends the same requests with the same keys, and must get
/// the same receipts.
public struct LoadPlan: Sendable {
  public let seed: UInt64
  public let accounts: [AccountID]
  /// Minor units on each account at the start.
  public let startingBalance: Int64
  public let currency: Currency
  private let largest: Int64

  public init(
    seed: UInt64, accounts: Int = 100, startingBalance: Int64 = 1_000_000, currency: Currency = .euro,
    largest: Int64? = nil
  ) throws {
    self.seed = seed
    self.accounts = try (0..<max(2, accounts)).map { try AccountID("a\($0)") }
    self.startingBalance = startingBalance
    self.currency = currency
    self.largest = largest ?? max(1, startingBalance / 20)
  }

  /// The sum of all accounts, which no transfer changes.
  public var total: Money { Money(minorUnits: startingBalance * Int64(accounts.count), currency) }

  public func key(_ index: Int) throws -> TransferKey { try TransferKey("t\(seed)-\(index)") }

  public func transfer(_ index: Int) -> Transfer {
    var generator = SeededGenerator(seed: seed &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(index))
    let sender = Int.random(in: 0..<accounts.count, using: &generator)
    let recipient = (sender + Int.random(in: 1..<accounts.count, using: &generator)) % accounts.count
    let amount = Money(minorUnits: .random(in: 1...largest, using: &generator), currency)
    return Transfer(amount, from: accounts[sender], to: accounts[recipient])
  }

  /// Opens the accounts and pays in. Keys make it harmless to do so again, also at the same time.
  public func prepare(_ store: some TransferStore) async throws {
    for account in accounts {
      try await RetryPolicy.patient.run {
        _ = try await store.openAccount(account, in: currency, key: TransferKey("open-\(account)"))
        _ = try await store.deposit(
          Money(minorUnits: startingBalance, currency), to: account, key: TransferKey("fund-\(account)"))
      } recover: { error in
        try await store.recover(from: error)
      }
    }
  }
}

/// SplitMix64: small, good enough to mix, and the same everywhere.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
