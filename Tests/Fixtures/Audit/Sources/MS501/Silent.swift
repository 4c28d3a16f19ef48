/// A domain whose rule is named.

/// A balance and the ledger line that explains it change in one step.
@globalActor actor WalletActor { static let shared = WalletActor() }

@WalletActor final class Balances { var ledger = WalletLedger() }
@WalletActor final class WalletLedger { var lines: [String] = [] }
