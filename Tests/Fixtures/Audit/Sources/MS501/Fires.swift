/// Global actors that protect nothing with a name.

/// Everything that talks to the network goes through here, for safety and order.
@globalActor actor NetworkActor { static let shared = NetworkActor() }  // expect: catch_all_actor note

@NetworkActor final class Client { var requests = 0 }
@NetworkActor final class Reachability { var client: Client? }

/// One object, one global actor: its own actor would do.
@globalActor actor LedgerActor { static let shared = LedgerActor() }  // expect: catch_all_actor note

@LedgerActor final class Ledger {
  static let shared = Ledger()
  var lines: [String] = []
}

/// Holds what has nothing to do with each other, one rule for all of it.
@globalActor actor MiscellanyActor { static let shared = MiscellanyActor() }  // expect: catch_all_actor note

@MiscellanyActor final class Weather { var degrees = 0 }
@MiscellanyActor final class Chess { var move = 0 }

@globalActor actor CheckoutActor { static let shared = CheckoutActor() }  // expect: catch_all_actor note

@CheckoutActor final class Basket { var items: [Item] = [] }
@CheckoutActor final class Item { var price = 0 }
