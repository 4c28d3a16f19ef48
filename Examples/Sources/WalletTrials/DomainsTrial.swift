/// Two domains do not queue behind each other; one actor for the whole application does.
import Broken
import Mainstay
import WalletKit

/// How long a transfer takes while something that has nothing to do with it keeps its actor busy.
public struct DomainsTrial: Sendable {
  public struct Row: Sendable, Equatable {
    public var arrangement: String
    /// Of a transfer, from the call to the answer.
    public var median: Duration
    public var p99: Duration
    /// Jobs of the other that ended meanwhile, and how long one of them keeps its actor; nothing when there is no other.
    public var others = 0
    public var other: Duration?
  }

  public var transfers: Int
  /// What the other reads in one job: a picture to import, or the note of a delivery.
  private let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  public init(transfers: Int) { self.transfers = transfers }

  /// The wallet alone, beside a busy checkout in a domain of its own, and on one actor with a busy importer.
  @concurrent
  public func run() async throws -> [Row] {
    let (sender, recipient) = (try AccountID("sender"), try AccountID("recipient"))
    let start = Int64(transfers)
    let wallet = await DomainWallet([sender: 2 * start])
    let checkout = BusyCheckout()
    let app = await AppWallet([sender: start])
    let importer = await AppImporter()
    let bytes = bytes
    let rows = [
      try await measure("WalletActor alone") {
        try await wallet.transfer(1, from: sender, to: recipient)
      },
      try await measure("a domain each: WalletActor, busy CheckoutActor", beside: { await checkout.receive(bytes) }) {
        try await wallet.transfer(1, from: sender, to: recipient)
      },
      try await measure("one busy AppActor for both", beside: { await importer.importPicture(bytes) }) {
        try await app.transfer(1, from: sender, to: recipient)
      },
    ]
    // Reads what the others made, which therefore had to be made.
    let made = Set(await checkout.received.map(\.quantity) + importer.pictures.map { Int(truncatingIfNeeded: $0) })
    guard made.count == 1 else { throw TrialFailure("the same bytes have \(made.count) fingerprints") }
    return rows
  }

  private func measure(
    _ arrangement: String, beside busy: (@Sendable () async -> Void)? = nil, transfer: () async throws -> Void
  ) async throws -> Row {
    let clock = ContinuousClock()
    let other = Task {
      var lengths: [Duration] = []
      while let busy, !Task.isCancelled {
        let start = clock.now
        await busy()
        lengths.append(start.duration(to: clock.now))
      }
      return lengths
    }
    var lengths: [Duration] = []
    for _ in 0..<transfers {
      let start = clock.now
      try await transfer()
      lengths.append(start.duration(to: clock.now))
      // The next transfer comes at another moment of the other's work.
      try await Task.sleep(for: .microseconds(700))
    }
    other.cancel()
    let others = await other.value.sorted()
    lengths.sort()
    return Row(
      arrangement: arrangement, median: lengths[lengths.count / 2], p99: lengths[lengths.count * 99 / 100],
      others: others.count, other: others.isEmpty ? nil : others[others.count / 2])
  }
}

/// Transfers in the wallet's domain, as plain as those of `AppWallet`.
@WalletActor
private final class DomainWallet {
  private var balances: [AccountID: Int64]

  init(_ balances: [AccountID: Int64]) { self.balances = balances }

  func transfer(_ amount: Int64, from sender: AccountID, to recipient: AccountID) throws {
    guard balances[sender, default: 0] >= amount else { throw Refused() }
    balances[sender, default: 0] -= amount
    balances[recipient, default: 0] += amount
  }
}

/// Work of the checkout that takes its time, as long as `AppImporter`'s.
@CheckoutActor
private final class BusyCheckout {
  private(set) var received: [OrderLine] = []

  func receive(_ note: [UInt8]) {
    received.append(OrderLine(Int(truncatingIfNeeded: fingerprint(note)), "delivery"))
  }
}
