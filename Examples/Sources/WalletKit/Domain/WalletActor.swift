/// The domain of the wallet, named after its rule.

/// Everything that moves money shares this actor, because it shares one rule: **the balance that is checked is the
/// balance that is spent**. A check, the debit and credit that follow it, and their line in the ledger happen together,
/// with nothing in between.
///
/// The actor holds no state. It is the room; ``BalanceStore``, ``LedgerRepository`` and ``WalletService`` are in it.
@globalActor
public actor WalletActor {
  public static let shared = WalletActor()

  private init() {}
}
