/// The article's bug: 1,000 on the account, two transfers of 800 at the same moment.
import Broken
import WalletKit

/// Plays two transfers of 800 from an account of 1,000 against each other, in several wallets, and counts.
public struct DoubleSpend: Sendable {
  public struct Row: Sendable, Equatable {
    public var wallet: String
    public var rounds = 0
    /// Rounds in which both transfers went through.
    public var spentTwice = 0
    /// The least that was left on the account.
    public var worst: Int64 = .max
  }

  public var rounds: Int
  private let sender: AccountID
  private let recipient: AccountID

  public init(rounds: Int) throws {
    self.rounds = rounds
    sender = try AccountID("sender")
    recipient = try AccountID("recipient")
  }

  /// All wallets in order: three with the bug, and the domain.
  public func run() async throws -> [Row] {
    [
      try await play("separate actors, as the scheduler has it") { try await separateActors(meeting: nil) },
      try await play("separate actors, both check first") { try await separateActors(meeting: Meeting()) },
      try await play("one domain, await inside") { try await awaitInside() },
      try await play("one domain, fraud check outside") { try await domain() },
    ]
  }

  private func play(_ wallet: String, _ round: () async throws -> Int64) async throws -> Row {
    var row = Row(wallet: wallet)
    for _ in 0..<rounds {
      let left = try await round()
      row.rounds += 1
      if left < 0 { row.spentTwice += 1 }
      row.worst = min(row.worst, left)
    }
    return row
  }

  private func separateActors(meeting: Meeting?) async throws -> Int64 {
    let wallet = SeparateActorsWallet(
      [sender: 1_000], doorway: meeting.map { meeting in { @Sendable in await meeting.arrive() } })
    await both { try await wallet.transfer(800, from: sender, to: recipient) }
    return await wallet.balances.availableBalance(for: sender)
  }

  private func awaitInside() async throws -> Int64 {
    let wallet = await AwaitInsideWallet([sender: 1_000], fraud: MeetingChecker())
    await both { try await wallet.transfer(800, from: sender, to: recipient) }
    return await wallet.balance(of: sender)
  }

  /// The same meeting, at the fraud check outside of the domain: both are approved before either is applied.
  private func domain() async throws -> Int64 {
    let desk = ApprovalDesk(checker: MeetingChecker())
    let wallet = try await WalletService.open(desk: desk)
    for account in [sender, recipient] {
      _ = try await wallet.openAccount(account, in: .dollar, key: TransferKey("open-\(account)"))
    }
    _ = try await wallet.deposit(Money(minorUnits: 1_000, .dollar), to: sender, key: TransferKey("fund"))
    let turn = Turn(0)
    await both {
      let transfer = Transfer(Money(minorUnits: 800, .dollar), from: sender, to: recipient)
      _ = try await wallet.performTransfer(transfer, key: TransferKey("t\(turn.take())"), desk: desk)
    }
    return try await wallet.balance(of: sender).minorUnits
  }

  /// Two at the same time; one may be refused.
  private func both(_ transfer: @escaping @Sendable () async throws -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 { group.addTask { try? await transfer() } }
    }
  }
}

/// Lets two pass when both are there.
actor Meeting {
  private var waiting: CheckedContinuation<Void, Never>?

  func arrive() async {
    if let other = waiting {
      waiting = nil
      return other.resume()
    }
    await withCheckedContinuation { waiting = $0 }
  }
}

/// Approves when two have asked.
struct MeetingChecker: FraudChecker {
  private let meeting = Meeting()

  func examine(_ transfer: Transfer) async throws -> FraudVerdict {
    await meeting.arrive()
    return .approved
  }
}
