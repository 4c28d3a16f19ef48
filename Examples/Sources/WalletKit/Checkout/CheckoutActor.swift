/// The domain of the checkout, named after its rule.

/// What sells goods shares this actor, because it shares one rule: **what is promised is in stock**. All lines of an
/// order are taken from stock together, or none, with nothing in between.
///
/// That rule has nothing to do with the wallet's, so neither waits for the other.
@globalActor
public actor CheckoutActor {
  public static let shared = CheckoutActor()

  private init() {}
}
