/// A domain whose rule is named.
import Elsewhere

/// A balance and the ledger line that explains it change in one step.
@globalActor actor WalletActor { static let shared = WalletActor() }

@WalletActor final class Balances { var ledger = WalletLedger() }
@WalletActor final class WalletLedger { var lines: [String] = [] }

/// Joins another module's domain, as a test double or a trial does: that domain has no second subject by it.
@SeatActor final class SeatTrial { var rounds = 0 }
