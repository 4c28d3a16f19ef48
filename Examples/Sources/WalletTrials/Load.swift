/// Clients that send the transfers of a plan.
import Synchronization
import WalletKit

/// Sends transfers from several clients at a time, each of which waits for its receipt before it sends the next.
public struct Load: Sendable {
  public var plan: LoadPlan
  public var transfers: Range<Int>
  public var clients: Int
  public var retry: RetryPolicy

  public init(
    _ plan: LoadPlan, transfers: Range<Int>, clients: Int,
    retry: RetryPolicy = .patient
  ) {
    self.plan = plan
    self.transfers = transfers
    self.clients = clients
    self.retry = retry
  }

  /// - Parameter answered: called for every transfer with its receipt, or the rule that refused it.
  /// - Throws: the first error that is no refusal.
  @concurrent
  public func run(
    on store: some TransferStore, desk: ApprovalDesk,
    answered: @escaping @Sendable (Int, Result<LedgerEntry, WalletError>) -> Void
  ) async throws {
    let next = Turn(transfers.lowerBound)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<clients {
        group.addTask {
          while true {
            let index = next.take()
            guard index < transfers.upperBound else { return }
            let key = try plan.key(index)
            do {
              let transfer = plan.transfer(index)
              answered(
                index, .success(try await store.performTransfer(transfer, key: key, desk: desk, retry: retry)))
            } catch let error as WalletError where !error.isRetryable {
              answered(index, .failure(error))
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

extension RetryPolicy {
  /// For trials: what counts is what becomes of a call, however long a machine that does much else, or a server that comes
  /// back from a crash, takes for it.
  public static let patient = RetryPolicy(
    attempts: 10_000, first: .milliseconds(20), longest: .milliseconds(500), within: .seconds(300))
}

/// Numbers that are handed out once each. An object, because tasks share it.
final class Turn: Sendable {
  private let next: Atomic<Int>

  init(_ first: Int) { next = Atomic(first) }

  func take() -> Int { next.add(1, ordering: .relaxed).oldValue }
}
