/// A fraud check that says nothing, however it is asked.
import Patience
import Synchronization
import Testing
import WalletKit

@Suite("A fraud check that never answers", .patient, .timeLimit(.minutes(10)))
struct UnansweredCheckTests {
  private let checker = MuteChecker()
  private let short = RetryPolicy(attempts: 3, first: .zero, longest: .zero, within: .milliseconds(40))

  private func wallet() async throws -> (WalletService, ApprovalDesk, Transfer) {
    let desk = ApprovalDesk(checker: checker)
    let wallet = try await WalletService.open(desk: desk)
    let (a, b) = (try AccountID("a"), try AccountID("b"))
    for account in [a, b] {
      _ = try await wallet.openAccount(account, in: .euro, key: TransferKey("open-\(account)"))
    }
    _ = try await wallet.deposit(Money(minorUnits: 500, .euro), to: a, key: TransferKey("fund"))
    return (wallet, desk, Transfer(Money(minorUnits: 100, .euro), from: a, to: b))
  }

  @Test("ends with the time of the call: no money has moved, and the key moves it once when the check answers again")
  func bounded() async throws {
    let (wallet, desk, transfer) = try await wallet()
    let key = try TransferKey("t")
    checker.isMute = true
    await #expect(throws: WalletError.checkUnanswered(key)) {
      try await wallet.performTransfer(transfer, key: key, desk: desk, retry: short)
    }
    #expect(try await wallet.balance(of: transfer.sender) == Money(minorUnits: 500, .euro))
    #expect(WalletError.checkUnanswered(key).isRetryable && !WalletError.checkUnanswered(key).isFinal)
    checker.isMute = false
    let receipt = try await wallet.performTransfer(transfer, key: key, desk: desk)
    #expect(try await wallet.performTransfer(transfer, key: key, desk: desk) == receipt)
    #expect(try await wallet.balance(of: transfer.sender) == Money(minorUnits: 400, .euro))
  }

  @Test("does not keep a receipt from the client whose transfer was made before")
  func known() async throws {
    let (wallet, desk, transfer) = try await wallet()
    let key = try TransferKey("t")
    let receipt = try await wallet.performTransfer(transfer, key: key, desk: desk)
    checker.isMute = true
    #expect(try await wallet.performTransfer(transfer, key: key, desk: desk, retry: short) == receipt)
    #expect(try await wallet.ledger(after: 0, limit: 100).count == 4)
  }

  @Test("is not waited for by a client that was cancelled, though the check heeds no cancellation")
  func cancelled() async throws {
    let (wallet, desk, transfer) = try await wallet()
    checker.isMute = true
    let long = RetryPolicy(attempts: 1, first: .zero, longest: .zero, within: .seconds(3_600))
    let client = Task {
      try await wallet.performTransfer(transfer, key: TransferKey("t"), desk: desk, retry: long)
    }
    await checker.asked()
    client.cancel()
    await #expect(throws: CancellationError.self) { try await client.value }
    #expect(try await wallet.balance(of: transfer.sender) == Money(minorUnits: 500, .euro))
  }

  @Test("what a check answers or throws in time is what the client learns")
  func answered() async throws {
    struct Down: Error {}
    let (wallet, _, transfer) = try await wallet()
    let key = try TransferKey("t")
    let strict = ApprovalDesk(checker: LimitChecker(limit: 1))
    await #expect(throws: WalletError.self) { try await wallet.performTransfer(transfer, key: key, desk: strict) }
    let down = ApprovalDesk(checker: FailingChecker(error: Down()))
    await #expect(throws: Down.self) { try await wallet.performTransfer(transfer, key: key, desk: down) }
  }
}

/// Says nothing while it is mute, also to those who no longer want to know, and approves otherwise.
private final class MuteChecker: FraudChecker {
  private struct State {
    var isMute = false
    var unanswered: [UnsafeContinuation<Void, Never>] = []
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  var isMute: Bool {
    get { state.withLock { $0.isMute } }
    set { state.withLock { $0.isMute = newValue } }
  }

  deinit {
    for continuation in state.withLock({ $0.unanswered }) { continuation.resume() }
  }

  /// Returns when somebody waits for an answer.
  func asked() async {
    await withCheckedContinuation { continuation in
      let isAsked = state.withLock { state in
        if state.unanswered.isEmpty { state.waiting.append(continuation) }
        return !state.unanswered.isEmpty
      }
      if isAsked { continuation.resume() }
    }
  }

  func examine(_ transfer: Transfer) async throws -> FraudVerdict {
    guard isMute else { return .approved }
    await withUnsafeContinuation { continuation in
      let waiting = state.withLock { state in
        state.unanswered.append(continuation)
        defer { state.waiting = [] }
        return state.waiting
      }
      for other in waiting { other.resume() }
    }
    return .approved
  }
}

private struct FailingChecker: FraudChecker {
  let error: any Error

  func examine(_ transfer: Transfer) async throws -> FraudVerdict { throw error }
}
