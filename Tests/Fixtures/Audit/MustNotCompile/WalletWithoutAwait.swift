// flags: -swift-version 6
/// Article row 4.4: from outside the domain every visit needs an await.
@globalActor
actor WalletActor {
  static let shared = WalletActor()
}

@WalletActor
final class Wallet {
  var balance = 0
  func debit(_ amount: Int) { balance -= amount }
}

func outside(_ wallet: Wallet) async {
  wallet.debit(1)  // diagnostic: 'debit' cannot be called from outside of the actor
}
