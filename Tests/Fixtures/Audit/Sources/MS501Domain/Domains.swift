/// Two domains that another module adds to: one with what it works with, one with what has nothing to do with it.

/// Where a parcel lies and on whose round it is change in one step.
@globalActor public actor ParcelActor { public static let shared = ParcelActor() }

public struct ParcelNumber: Sendable, Hashable { public var digits = 0 }

@ParcelActor public final class Shelf {
  public var parcels: [ParcelNumber: Int] = [:]
  public let rounds = Rounds()
}
@ParcelActor public final class Rounds { public var drivers: [Int] = [] }

/// A berth is given to one ship, and the ship to one berth.
@globalActor public actor HarbourActor { public static let shared = HarbourActor() }  // expect: catch_all_actor note

@HarbourActor public final class Berths { public var ships: [Ship] = [] }
@HarbourActor public final class Ship { public var length = 0 }
