/// Two domains do not queue behind each other; one actor for the whole application does.
import Broken
import Mainstay
import WalletKit

/// How long a transfer takes while something that has nothing to do with it keeps its actor busy.
public struct DomainsTrial: Sendable {
  public struct Row: Sendable, Equatable {
    public var arrangement: String
    public var median: Duration
    public var p99: Duration
  }

  public var transfers: Int

  public init(transfers: Int) { self.transfers = transfers }

  @concurrent
  public func run() async throws -> [Row] {
    let (sender, recipient) = (try AccountID("sender"), try AccountID("recipient"))
    let wallet = await DomainWallet([sender: 1_000_000])
    let checkout = BusyCheckout()
    let appWallet = await AppWallet([sender: 1_000_000])
    let importer = await AppImporter()
    // As long as importing a picture takes, in both arrangements.
    let bytes = 4_000_000
    return [
      await measure("a domain each: WalletActor and CheckoutActor") {
        await checkout.count(bytes)
      } transfer: {
        try? await wallet.transfer(1, from: sender, to: recipient)
      },
      await measure("one AppActor for both") {
        await importer.importPicture(bytes: bytes)
      } transfer: {
        try? await appWallet.transfer(1, from: sender, to: recipient)
      },
    ]
  }

  private func measure(
    _ arrangement: String, busy: @escaping @Sendable () async -> Void, transfer: () async -> Void
  ) async -> Row {
    let other = Task { while !Task.isCancelled { await busy() } }
    let clock = ContinuousClock()
    var lengths: [Duration] = []
    for _ in 0..<transfers {
      let start = clock.now
      await transfer()
      lengths.append(start.duration(to: clock.now))
      // The next transfer comes at another moment of the other's work.
      try? await Task.sleep(for: .microseconds(700))
    }
    other.cancel()
    await other.value
    lengths.sort()
    return Row(arrangement: arrangement, median: lengths[lengths.count / 2], p99: lengths[lengths.count * 99 / 100])
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
  private var checksum: UInt64 = 0

  func count(_ articles: Int) {
    for article in 0..<articles { checksum = checksum &* 31 &+ UInt64(truncatingIfNeeded: article) }
  }
}
